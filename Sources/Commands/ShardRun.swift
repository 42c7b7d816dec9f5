import ArgumentParser
import Foundation
import Reporting
import ResultFiles
import Simulation

/// One shard of a run: a part in a folder that all shards can share. It reports nothing, since peaks of a part are no
/// parts of the peaks.
struct ShardRun {
    let session: RunSession
    let shard: Shard
    let path: String

    private var partPath: String { path + "/" + shard.partName }
    private var checkpointPath: String { path + "/" + shard.checkpointName }

    func run() throws {
        // The contents of the folder are read while nobody else can change them.
        let folder = try PartFolder(path, shard: shard)
        defer { folder.discard() }
        if try !isDone() { try simulate() }
    }

    private func simulate() throws {
        let checkpoint = try session.checkpoint(at: checkpointPath)
        session.begin()
        let run = try session.prepared().begin(
            threads: session.threads, people: shard.people(of: session.read.scenario.people))
        let kept = try session.simulate(run, from: checkpoint, folder: path)
        let header = PartialHeader(
            .shard, of: kept.run, session.read, shard: shard, threads: session.threads,
            after: (kept.wallSeconds, kept.coreSeconds), request: session.request)
        try PartialFile.write(kept.run, header: header, folder: path, name: shard.partName)
        CheckpointedRun.remove(from: path, shard: shard)
        if session.isQuiet { return }
        Console.plain("part      \(partPath)")
        Console.plain("next      reloadsim merge \(path) --out <folder>, when all \(shard.count) shards are there")
    }

    /// Whether the shard's part is there already and right.
    private func isDone() throws(OutputProblem) -> Bool {
        guard !(session.isForced && !session.isResumed), FolderPath.exists(partPath) else { return false }
        guard session.isResumed else {
            throw OutputProblem(
                "\(partPath) exists already; nothing was changed (--resume keeps it if it is right, --force replaces it)"
            )
        }
        do throws(PartialProblem) { _ = try session.part(partPath, .shard) } catch {
            if session.isForced { return false }
            throw OutputProblem("\(error); nothing was changed (--force replaces it)")
        }
        CheckpointedRun.remove(from: path, shard: shard)
        if !session.isQuiet { Console.plain("\(partPath) is complete already; nothing was simulated") }
        return true
    }
}

/// Which shard a command simulates: one that is named, or the one that the environment of a cluster's job tells.
enum ShardChoice: ExpressibleByArgument {
    case named(Shard)
    /// - Parameter count: how many shards there are, if it is said.
    case auto(count: Int?)

    init?(argument: String) {
        let words = argument.split(separator: "/", omittingEmptySubsequences: false)
        switch (words[0], words.count) {
        case ("auto", 1): self = .auto(count: nil)
        case ("auto", 2):
            guard let count = Int(words[1]), Shard(1, of: count) != nil else { return nil }
            self = .auto(count: count)
        case (_, 2):
            guard let number = Int(words[0]), let count = Int(words[1]), let shard = Shard(number, of: count) else {
                return nil
            }
            self = .named(shard)
        default: return nil
        }
    }

    /// The shard.
    ///
    /// - Throws: the sentence that says what is missing in the environment, or contradicts itself.
    func shard(in environment: [String: String]) throws -> Shard {
        switch self {
        case .named(let shard): shard
        case .auto(let count): try ClusterTask(environment).shard(stated: count)
        }
    }
}

/// A task of an array of tasks, as a cluster tells it to its processes.
struct ClusterTask {
    private let system: String
    /// From 0 on.
    private let place: Int
    private let count: Int?

    /// Reads the variables of Slurm, of an indexed job of Kubernetes, or of an array job of AWS Batch.
    init(_ environment: [String: String]) throws {
        let found = Self.variables.filter { environment[$0] != nil }
        guard let variable = found.first else {
            throw Self.failure(
                "--shard auto needs \(Self.variables.joined(separator: ", ")) in the environment, and none of them is set"
            )
        }
        if found.count > 1 {
            throw Self.failure("--shard auto cannot tell which to follow: \(found.joined(separator: " and ")) are set")
        }
        func number(_ name: String) throws -> Int? {
            guard let text = environment[name] else { return nil }
            guard let value = Int(text), (0...Self.mostTasks).contains(value) else {
                throw Self.failure("\(name) is \"\(text)\", which is not the number of a task")
            }
            return value
        }
        let index = try number(variable)!
        switch variable {
        case Self.slurm:
            system = "Slurm"
            let count = try number("SLURM_ARRAY_TASK_COUNT")
            let least = try number("SLURM_ARRAY_TASK_MIN") ?? 0
            let step = max(1, try number("SLURM_ARRAY_TASK_STEP") ?? 1)
            if count != nil && environment["SLURM_ARRAY_TASK_MIN"] == nil {
                throw Self.failure(
                    "--shard auto needs SLURM_ARRAY_TASK_MIN beside \(Self.slurm) to tell where the array begins")
            }
            // The tasks of a list, such as 1,2,7, are no shards of anything: one would be missing and nobody would say
            // so.
            if let count, let most = try number("SLURM_ARRAY_TASK_MAX"), most != least + (count - 1) * step {
                throw Self.failure(
                    "the array of tasks \(least) to \(most) has \(count) of them and does not go in even steps; name the shard, as in --shard 2/7"
                )
            }
            guard index >= least, (index - least) % step == 0 else {
                throw Self.failure(
                    "\(Self.slurm) is \(index), which is not a task of an array from \(least) in steps of \(step)")
            }
            place = (index - least) / step
            self.count = count
        case Self.batch:
            system = "AWS Batch"
            place = index
            count = try number("AWS_BATCH_JOB_ARRAY_SIZE")
        default:
            system = "Kubernetes"
            place = index
            count = nil
        }
    }

    /// More than any array has, and few enough to compute with.
    private static let mostTasks = 1 << 30
    private static let slurm = "SLURM_ARRAY_TASK_ID"
    private static let batch = "AWS_BATCH_JOB_ARRAY_INDEX"
    private static let variables = [slurm, "JOB_COMPLETION_INDEX", batch]

    /// The shard of this task.
    ///
    /// - Parameter stated: how many shards there are, as the command line says; it must be what the cluster says, if it
    ///   says it.
    func shard(stated: Int?) throws -> Shard {
        if let stated, let count, stated != count {
            throw Self.failure(
                "\(system) has \(count) tasks in the array, and --shard auto/\(stated) wants \(stated); name the shard, as in --shard 2/\(stated)"
            )
        }
        guard let all = stated ?? count else {
            throw Self.failure("\(system) does not tell the number of shards; state it, as in --shard auto/7")
        }
        guard let shard = Shard(place + 1, of: all) else {
            throw Self.failure("\(system) calls this task number \(place + 1), and there are \(all) shards")
        }
        return shard
    }

    private static func failure(_ sentence: String) -> CommandFailure {
        CommandFailure(.usage, sentence)
    }
}

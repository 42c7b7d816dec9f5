import ArgumentParser
import Foundation
import Reporting

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

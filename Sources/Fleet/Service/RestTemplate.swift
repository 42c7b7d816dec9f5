import CWords

/// The words that the devices of one sort have in common; each device at rest is written down as its difference from them.
///
/// A device is the words of its memory. The words that come from the plan and the segment are the same in all of a sort, and so are most of those that are not
/// under way: they are kept once. Which words differ, and in how many of their bytes, is learned from the devices themselves. Those that often do stand in
/// every record at the same place; any other that does stands there with its position. So nothing need be known of the fields, and every device is word for
/// word what it was.
///
/// Devices of a sort have the same segment, slot and number of instances.
struct RestTemplate {
    /// Words of a device's memory.
    let count: Int
    /// Which sort it is, as the caller numbers them.
    private let number: Int
    /// The words that are the same in all. For a personal word, its value without the person's number.
    private let common: UnsafeMutablePointer<UInt64>
    /// The words that differ between two people just as their numbers do, such as the keys of their random streams. Until words are first chosen there are
    /// none.
    private var personal = PositionList()
    /// Those that did so in all records yet; nil until there is a second person.
    private var candidates: [Int]?
    private let firstPerson: UInt64

    /// The form of records that are written now is the last one.
    private var forms: [RecordForm]
    private var form: RecordForm
    /// All ones for each word that has to be common.
    private let mustMatch: UnsafeMutablePointer<UInt64>
    /// Where runs of words begin that all have to be common, and how long they are: multiples of eight.
    private var runs = PositionList()
    private var runLengths = PositionList()
    /// Where blocks begin of which some words have to be common, and are in no run.
    private var blocks = PositionList()
    private let isWide = words_are_wide()
    /// The words that differed in the last device written though they have no place, or one that is not wide enough.
    private var exceptions = PositionList()

    /// How often each word was an exception since the last choice, and the most bytes that it took ever.
    private let differed: UnsafeMutablePointer<UInt32>
    private let widest: UnsafeMutablePointer<UInt8>
    private var written = 0
    private var lastChoice = 0
    private var nextChoice = firstChoice

    /// The number of records after which words are first chosen, and how many times as many each later choice waits for.
    private static let firstChoice = 32
    private static let laterChoice = 4
    /// A word is kept if it is an exception in one device in this many.
    private static let keptFrom = 12
    private static let block = 4
    /// A run has this many words, or a multiple.
    private static let run = 8
    /// So many blocks or runs are asked at once whether any word differs.
    private static let group = 64

    /// - Parameters:
    ///   - image: a device's memory.
    ///   - count: its words, whole blocks of them.
    init(number: Int, _ image: UnsafePointer<UInt64>, count: Int, ofPerson person: UInt64) {
        precondition(count % Self.block == 0, "\(count) words are not whole blocks")
        self.number = number
        self.count = count
        common = .allocate(capacity: count)
        common.initialize(from: image, count: count)
        mustMatch = .allocate(capacity: count)
        mustMatch.initialize(repeating: .max, count: count)
        differed = .allocate(capacity: count)
        differed.initialize(repeating: 0, count: count)
        widest = .allocate(capacity: count)
        widest.initialize(repeating: 0, count: count)
        firstPerson = person
        form = RecordForm()
        forms = [form]
        findBlocks()
    }

    /// Gives its memory back.
    func deallocate() {
        common.deallocate()
        mustMatch.deallocate()
        differed.deallocate()
        widest.deallocate()
        for form in forms { form.deallocate() }
        for list in [personal, runs, runLengths, blocks, exceptions] { list.deallocate() }
    }

    /// Fills memory with the words that the devices of the sort share; the device's own are left out.
    mutating func prepare(_ image: UnsafeMutablePointer<UInt64>) {
        image.update(from: common, count: count)
        exceptions.count = 0
    }

    // MARK: Records

    /// A record's first word: the sort, the form, and the exceptions.
    private struct Head {
        let number, form, exceptions: Int

        init(number: Int, form: Int, exceptions: Int) { (self.number, self.form, self.exceptions) = (number, form, exceptions) }

        init(_ word: UInt64) {
            self.init(
                number: Int(truncatingIfNeeded: word & 0xffff), form: Int(truncatingIfNeeded: word >> 16 & 0xffff),
                exceptions: Int(truncatingIfNeeded: word >> 32))
        }

        var word: UInt64 { UInt64(number) | UInt64(form) << 16 | UInt64(exceptions) << 32 }
    }

    /// More words than a device may have, and more sorts than there may be.
    static let wordLimit = 1 << 31
    static let numberLimit = 1 << 16

    /// Which sort of device a record is of.
    static func number(of record: UnsafePointer<UInt64>) -> Int { Head(record.pointee).number }

    /// Writes a device down.
    ///
    /// - Parameters:
    ///   - image: its memory.
    ///   - room: gives room for a record of so many bytes.
    mutating func write(_ image: UnsafePointer<UInt64>, ofPerson person: UInt64, to room: (_ bytes: Int) -> UnsafeMutablePointer<UInt64>) {
        if written < Self.firstChoice && person != firstPerson { findCandidates(image, person) }
        findExceptions(image, person)
        if !form.gather(image, common) {
            let (form, common) = (form, common)
            form.forEachTooWide(image, common) { note($0, image) }
        }
        let record = room(form.bytes + exceptions.count * 12)
        UnsafeMutableRawPointer(record).copyMemory(from: form.gathered, byteCount: form.bytes)
        record.pointee = Head(number: number, form: forms.count - 1, exceptions: exceptions.count).word
        let others = UnsafeMutableRawPointer(record) + form.bytes
        let places = others + exceptions.count * 8
        for place in 0..<exceptions.count {
            others.storeBytes(of: image[exceptions[place]], toByteOffset: 8 * place, as: UInt64.self)
            places.storeBytes(of: exceptions.positions[place], toByteOffset: 4 * place, as: Int32.self)
        }
        written += 1
        if written == nextChoice { choose() }
    }

    /// Makes memory that stands for the sort that of one device.
    mutating func read(_ record: UnsafePointer<UInt64>, ofPerson person: UInt64, into image: UnsafeMutablePointer<UInt64>) {
        let head = Head(record.pointee)
        // A record of an older form sets other words.
        if head.form != forms.count - 1 { prepare(image) }
        for place in 0..<exceptions.count { image[exceptions[place]] = common[exceptions[place]] }
        exceptions.count = 0
        for place in 0..<personal.count { image[personal[place]] = common[personal[place]] ^ person }
        let bytes: Int
        if head.form == forms.count - 1 {
            form.scatter(UnsafeRawPointer(record), common, into: image)
            bytes = form.bytes
        } else {
            forms[head.form].scatter(UnsafeRawPointer(record), common, into: image)
            bytes = forms[head.form].bytes
        }
        let others = UnsafeRawPointer(record) + bytes
        let places = others + head.exceptions * 8
        for place in 0..<head.exceptions {
            let position = places.load(fromByteOffset: 4 * place, as: Int32.self)
            image[Int(truncatingIfNeeded: position)] = others.load(fromByteOffset: 8 * place, as: UInt64.self)
            exceptions.append(position)
        }
    }

    // MARK: What differs

    private mutating func findExceptions(_ image: UnsafePointer<UInt64>, _ person: UInt64) {
        exceptions.count = 0
        for from in stride(from: 0, to: runs.count, by: Self.group) {
            var differing = words_differing_runs(
                image, common, runs.positions + from, runLengths.positions + from, min(Self.group, runs.count - from), isWide)
            while differing != 0 {
                let run = from + differing.trailingZeroBitCount
                noteWords(from: runs[run], count: runLengths[run], image)
                differing &= differing - 1
            }
        }
        for from in stride(from: 0, to: blocks.count, by: Self.group) {
            var differing = words_differing_blocks(
                image, common, mustMatch, blocks.positions + from, min(Self.group, blocks.count - from), isWide)
            while differing != 0 {
                noteWords(from: blocks[from + differing.trailingZeroBitCount], count: Self.block, image)
                differing &= differing - 1
            }
        }
        for place in 0..<personal.count where image[personal[place]] ^ common[personal[place]] != person { note(personal[place], image) }
    }

    private mutating func noteWords(from position: Int, count: Int, _ image: UnsafePointer<UInt64>) {
        for place in position..<position + count where (image[place] ^ common[place]) & mustMatch[place] != 0 { note(place, image) }
    }

    private mutating func note(_ place: Int, _ image: UnsafePointer<UInt64>) {
        exceptions.append(Int32(truncatingIfNeeded: place))
        differed[place] &+= 1
        let bits = 64 - (image[place] ^ common[place]).leadingZeroBitCount
        widest[place] = max(widest[place], UInt8(truncatingIfNeeded: (bits + 7) / 8))
    }

    /// From now on records are of a form that has room for what was an exception often.
    private mutating func choose() {
        if lastChoice == 0 { choosePersonal() }
        let records = written - lastChoice
        for place in 0..<count {
            if Int(differed[place]) * Self.keptFrom >= records && !isPersonal(place) { mustMatch[place] = 0 }
            differed[place] = 0
        }
        form = RecordForm((0..<count).filter { mustMatch[$0] == 0 && !isPersonal($0) }) { Int(widest[$0]) }
        forms.append(form)
        findBlocks()
        (lastChoice, nextChoice) = (written, written * Self.laterChoice)
    }

    private func isPersonal(_ place: Int) -> Bool { (0..<personal.count).contains { personal[$0] == place } }

    private mutating func findBlocks() {
        (runs.count, runLengths.count, blocks.count) = (0, 0, 0)
        func matching(_ position: Int) -> Int { (position..<position + Self.block).count { mustMatch[$0] != 0 } }
        var position = 0
        while position < count {
            var end = position
            while end < count && matching(end) == Self.block { end += Self.block }
            let length = (end - position) / Self.run * Self.run
            if length > 0 {
                runs.append(Int32(position))
                runLengths.append(Int32(length))
                position += length
            } else {
                if matching(position) > 0 { blocks.append(Int32(position)) }
                position += Self.block
            }
        }
    }

    private mutating func findCandidates(_ image: UnsafePointer<UInt64>, _ person: UInt64) {
        let difference = person ^ firstPerson
        candidates = (candidates ?? Array(0..<count)).filter { common[$0] ^ image[$0] == difference }
    }

    /// A personal word has stood in every record so far, unless it is the first person's; so all of them can still be read.
    private mutating func choosePersonal() {
        for place in candidates ?? [] {
            personal.append(Int32(place))
            common[place] ^= firstPerson
            mustMatch[place] = 0
        }
        candidates = nil
    }
}

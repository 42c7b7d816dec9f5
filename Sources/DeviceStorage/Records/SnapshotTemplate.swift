/// The memory that devices of one sort have in common: each is written down as its differences from it while it is
/// suspended.
///
/// The bytes that come from the plan and the segment are the same in all devices of a sort, and so are most of those
/// that are not under way: they are kept once. Which bytes differ is learned from the devices themselves. Bytes that
/// often differ have a place in every record; a word in which any other byte differs is added to the record with its
/// position. So the fields need not be known, and every device is in all its fields what it was.
///
/// Devices of a sort have the same segment, slot and number of instances.
package struct SnapshotTemplate {
    /// Words of a device's memory.
    package let count: Int
    /// Which sort it is, as the caller numbers them.
    private let number: Int
    /// The words that are the same in all. A personal word is that of the person whose device is read or written.
    private let common: UnsafeMutableBufferPointer<UInt64>
    /// The words that differ between two people just as their numbers do, such as the keys of their random streams, and
    /// what is left of each without the number. Until bytes are first chosen there are none.
    private var personal: [(word: Int, impersonal: UInt64)] = []
    private var commonPerson: UInt64
    /// Those that did so in all records yet; nil until there is a second person.
    private var candidates: [Int]?
    private let firstPerson: UInt64

    /// The form of records that are written now is the last one.
    private var forms: [RecordForm]
    private var form: RecordForm
    /// Ones in each byte that has to be common.
    private let mustMatch: UnsafeMutableBufferPointer<UInt64>
    /// Zeros in each byte that is no part of a field, whatever stands there.
    private let fieldBytes: [UInt64]
    /// The words of the last device that was read or written which differ in a byte that has to be common.
    private let exceptions: UnsafeMutableBufferPointer<Int32>
    private var exceptionCount = 0

    /// How often each byte was an exception since the last choice, in the records that were looked at for it.
    private let differed: UnsafeMutableBufferPointer<UInt32>
    private var lookedAt = 0
    private var written = 0
    private var nextChoice = firstChoice

    /// The number of records after which bytes are first chosen, and how many times as many each later choice waits
    /// for.
    private static let firstChoice = 32
    private static let laterChoice = 4
    /// So many records are all looked at, and of later ones one of so many.
    private static let allLookedAt = 2_048
    private static let lookShare = 8
    /// A byte is kept if it is an exception in one device of so many.
    private static let keptFrom = 8
    /// The word and its position.
    private static let exceptionBytes = 12
    /// The words of a line of `RecordForm`.
    private static let line = RecordForm.line / 8

    /// - Parameters:
    ///   - image: a device's memory, whole lines of it.
    ///   - fieldBytes: ones in each byte that is part of a field, by words; empty if all are. The other bytes are not
    ///     restored.
    package init(
        number: Int, _ image: UnsafeBufferPointer<UInt64>, ofPerson person: UInt64, fieldBytes: [UInt64] = []
    ) {
        count = image.count
        precondition(
            fieldBytes.isEmpty || fieldBytes.count == count, "a mask of \(fieldBytes.count) words for \(count)")
        precondition(count % Self.line == 0, "\(count) words are not whole lines")
        self.number = number
        // Aligned like a device's memory, so that lines are those of the cache.
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 8 * count, alignment: RecordForm.line)
        common = memory.bindMemory(to: UInt64.self)
        _ = common.initialize(from: image)
        self.fieldBytes = fieldBytes.isEmpty ? Array(repeating: .max, count: count) : fieldBytes
        mustMatch = .allocate(capacity: count)
        _ = mustMatch.initialize(from: self.fieldBytes)
        // One more than there can be, which is written and not counted.
        exceptions = .allocate(capacity: count + 1)
        exceptions.initialize(repeating: 0)
        differed = .allocate(capacity: 8 * count)
        differed.initialize(repeating: 0)
        (firstPerson, commonPerson) = (person, person)
        form = RecordForm(kept: Array(repeating: 0, count: count), mustMatch: UnsafeBufferPointer(mustMatch))
        forms = [form]
    }

    /// Gives its memory back.
    package func deallocate() {
        common.deallocate()
        mustMatch.deallocate()
        exceptions.deallocate()
        differed.deallocate()
        for form in forms { form.deallocate() }
    }

    /// Fills memory with the words that the devices of the sort share; the device's own are left out.
    package mutating func prepare(_ image: UnsafeMutableBufferPointer<UInt64>) {
        _ = image.update(from: common)
        exceptionCount = 0
    }

    // MARK: Records

    /// A record's first word: the sort, the form, and the exceptions.
    private struct Head {
        let number, form, exceptions: Int

        init(number: Int, form: Int, exceptions: Int) {
            (self.number, self.form, self.exceptions) = (number, form, exceptions)
        }

        init(_ word: UInt64) {
            self.init(
                number: Int(truncatingIfNeeded: word & 0xffff), form: Int(truncatingIfNeeded: word >> 16 & 0xffff),
                exceptions: Int(truncatingIfNeeded: word >> 32))
        }

        var word: UInt64 { UInt64(number) | UInt64(form) << 16 | UInt64(exceptions) << 32 }
    }

    /// More words than a device may have, and more sorts than there may be.
    package static let wordLimit = 1 << 28
    package static let numberLimit = 1 << 16
    /// So many bytes behind a record are read, whatever they are.
    static let readBehind = RecordForm.readBehind

    /// Which sort of device a record is of.
    package static func number(of record: UnsafePointer<UInt64>) -> Int { Head(record.pointee).number }

    /// Finds how a device differs from the others, for `write`.
    ///
    /// - Parameter image: its memory.
    /// - Returns: the bytes of its record.
    package mutating func measure(_ image: UnsafeBufferPointer<UInt64>, ofPerson person: UInt64) -> Int {
        if written < Self.firstChoice && person != firstPerson { findCandidates(image, person) }
        setPersonal(person)
        findExceptions(image)
        if written < Self.allLookedAt || written % Self.lookShare == 0 { countExceptions(image) }
        return form.bytes + exceptionCount * Self.exceptionBytes
    }

    /// Writes the record of a device that was measured last.
    package mutating func write(_ image: UnsafeBufferPointer<UInt64>, to record: UnsafeMutableRawBufferPointer) {
        precondition(
            record.count >= form.bytes + exceptionCount * Self.exceptionBytes, "a record of \(record.count) bytes")
        guard let record = record.baseAddress else { preconditionFailure("a record without room") }
        record.copyMemory(from: form.packedRecord.baseAddress!, byteCount: form.bytes)
        let head = Head(number: number, form: forms.count - 1, exceptions: exceptionCount)
        record.storeBytes(of: head.word, as: UInt64.self)
        let others = record + form.bytes
        let places = others + exceptionCount * 8
        for place in 0..<exceptionCount {
            let word = Int(exceptions[place])
            others.storeBytes(of: image[word] & fieldBytes[word], toByteOffset: 8 * place, as: UInt64.self)
            places.storeBytes(of: exceptions[place], toByteOffset: 4 * place, as: Int32.self)
        }
        written += 1
        if written == nextChoice { choose() }
    }

    /// Makes memory that stands for the sort that of one device.
    package mutating func read(
        _ record: UnsafePointer<UInt64>, ofPerson person: UInt64, into image: UnsafeMutableBufferPointer<UInt64>
    ) {
        let head = Head(record.pointee)
        let isOld = head.form != forms.count - 1
        // A record of an older form sets other words.
        if isOld { prepare(image) }
        for place in 0..<exceptionCount { image[Int(exceptions[place])] = common[Int(exceptions[place])] }
        setPersonal(person)
        for (word, _) in personal { image[word] = common[word] }
        let form = isOld ? forms[head.form] : form
        form.unpack(UnsafeRawPointer(record), UnsafeBufferPointer(common), into: image)
        let others = UnsafeRawPointer(record) + form.bytes
        let places = others + head.exceptions * 8
        for place in 0..<head.exceptions {
            let word = places.load(fromByteOffset: 4 * place, as: Int32.self)
            image[Int(word)] = others.load(fromByteOffset: 8 * place, as: UInt64.self)
            exceptions[place] = word
        }
        exceptionCount = head.exceptions
    }

    private mutating func setPersonal(_ person: UInt64) {
        if person == commonPerson { return }
        commonPerson = person
        for (word, impersonal) in personal { common[word] = impersonal ^ person }
    }

    // MARK: What differs

    @inline(__always) private func difference(_ image: UnsafeBufferPointer<UInt64>, _ word: Int) -> UInt64 {
        (image[word] ^ common[word]) & mustMatch[word]
    }

    /// Packs a device, and lists the words that differ where they must not. No branch depends on which do: they are
    /// guessed badly.
    private mutating func findExceptions(_ image: UnsafeBufferPointer<UInt64>) {
        let blocks = form.pack(image, UnsafeBufferPointer(common), mustMatch: UnsafeBufferPointer(mustMatch))
        var count = 0
        for block in blocks {
            for place in 0..<form.foundWords {
                let word = Int(truncatingIfNeeded: block) / 8 &+ place
                exceptions[count] = Int32(truncatingIfNeeded: word)
                count &+= difference(image, word) == 0 ? 0 : 1
            }
        }
        exceptionCount = count
    }

    private mutating func countExceptions(_ image: UnsafeBufferPointer<UInt64>) {
        lookedAt += 1
        for place in 0..<exceptionCount {
            let word = Int(exceptions[place])
            let difference = difference(image, word)
            for byte in 0..<8 where difference >> (8 * byte) & 0xff != 0 { differed[8 * word + byte] &+= 1 }
        }
    }

    /// From now on records are of a form that has room for what was an exception often.
    private mutating func choose() {
        if forms.count == 1 { choosePersonal() }
        for byte in 0..<8 * count {
            if Int(differed[byte]) * Self.keptFrom >= lookedAt {
                mustMatch[byte / 8] &= ~(0xff << (8 * UInt64(byte % 8)))
            }
            differed[byte] = 0
        }
        for (word, _) in personal { mustMatch[word] = fieldBytes[word] }
        let kept = (0..<count).map { fieldBytes[$0] & ~mustMatch[$0] }
        form = RecordForm(kept: kept, mustMatch: UnsafeBufferPointer(mustMatch))
        forms.append(form)
        (lookedAt, nextChoice) = (0, written * Self.laterChoice)
    }

    private mutating func findCandidates(_ image: UnsafeBufferPointer<UInt64>, _ person: UInt64) {
        let difference = person ^ firstPerson
        candidates = (candidates ?? Array(0..<count)).filter {
            fieldBytes[$0] == .max && common[$0] ^ image[$0] == difference
        }
    }

    /// Every record so far holds its personal words as exceptions, unless it is the first person's: so all of them can
    /// still be read.
    private mutating func choosePersonal() {
        personal = (candidates ?? []).map { (word: $0, impersonal: common[$0] ^ firstPerson) }
        // The personal words are the first person's so far.
        commonPerson = firstPerson
        candidates = nil
    }
}

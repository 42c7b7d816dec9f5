import CWords

/// The memory that devices of one sort have in common: each is written down as its differences from it while it is suspended.
///
/// The bytes that come from the plan and the segment are the same in all devices of a sort, and so are most of those that are not under way: they are kept
/// once. Which bytes differ is learned from the devices themselves. Bytes that often differ have a place in every record; a word in which any other byte
/// differs is added to the record with its position. So the fields need not be known, and every device is in all its fields what it was.
///
/// Devices of a sort have the same segment, slot and number of instances.
struct SnapshotTemplate {
    /// Words of a device's memory.
    let count: Int
    /// Which sort it is, as the caller numbers them.
    private let number: Int
    /// The words that are the same in all. A personal word is that of the person whose device is read or written.
    private let common: UnsafeMutablePointer<UInt64>
    /// The words that differ between two people just as their numbers do, such as the keys of their random streams, and what is left of each without the
    /// number. Until bytes are first chosen there are none.
    private var personal = IndexList()
    private var impersonal: [UInt64] = []
    private var commonPerson: UInt64
    /// Those that did so in all records yet; nil until there is a second person.
    private var candidates: [Int]?
    private let firstPerson: UInt64

    /// The form of records that are written now is the last one.
    private var forms: [RecordForm]
    private var form: RecordForm
    /// Ones in each byte that has to be common.
    private let mustMatch: UnsafeMutablePointer<UInt64>
    /// Zeros in each byte that is no part of a field, whatever stands there.
    private let fieldBytes: [UInt64]
    /// The words of the last device that was read or written which differ in a byte that has to be common.
    private var exceptions = IndexList()

    /// How often each byte was an exception since the last choice, in the records that were looked at for it.
    private let differed: UnsafeMutablePointer<UInt32>
    private var lookedAt = 0
    private var written = 0
    private var nextChoice = firstChoice

    /// The number of records after which bytes are first chosen, and how many times as many each later choice waits for.
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
    ///   - image: a device's memory.
    ///   - count: its words, whole lines of them.
    ///   - fieldBytes: ones in each byte that is part of a field, by words; empty if all are. The other bytes are not restored.
    init(number: Int, _ image: UnsafePointer<UInt64>, count: Int, ofPerson person: UInt64, fieldBytes: [UInt64] = []) {
        precondition(fieldBytes.isEmpty || fieldBytes.count == count, "a mask of \(fieldBytes.count) words for \(count)")
        precondition(count % Self.line == 0, "\(count) words are not whole lines")
        self.number = number
        self.count = count
        // Aligned like a device's memory, so that lines are those of the cache.
        common = UnsafeMutableRawPointer.allocate(byteCount: 8 * count, alignment: 64).bindMemory(to: UInt64.self, capacity: count)
        common.initialize(from: image, count: count)
        mustMatch = .allocate(capacity: count)
        self.fieldBytes = fieldBytes.isEmpty ? Array(repeating: .max, count: count) : fieldBytes
        for word in 0..<count { mustMatch[word] = self.fieldBytes[word] }
        differed = .allocate(capacity: 8 * count)
        differed.initialize(repeating: 0, count: 8 * count)
        (firstPerson, commonPerson) = (person, person)
        form = RecordForm(words: count, isPadding: Self.isPadding(self.fieldBytes)) { _ in false }
        forms = [form]
    }

    /// Gives its memory back.
    func deallocate() {
        common.deallocate()
        mustMatch.deallocate()
        differed.deallocate()
        for form in forms { form.deallocate() }
        for list in [personal, exceptions] { list.deallocate() }
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
    static let wordLimit = 1 << 28
    static let numberLimit = 1 << 16
    /// So many bytes behind a record are read, whatever they are.
    static let readBehind = 64

    /// Which sort of device a record is of.
    static func number(of record: UnsafePointer<UInt64>) -> Int { Head(record.pointee).number }

    /// Makes a device's record, which `write` writes down.
    ///
    /// - Parameter image: its memory.
    /// - Returns: the record's bytes.
    mutating func makeRecord(of image: UnsafePointer<UInt64>, ofPerson person: UInt64) -> Int {
        if written < Self.firstChoice && person != firstPerson { findCandidates(image, person) }
        setPersonal(person)
        exceptions.count = 0
        let isLookedAt = written < Self.allLookedAt || written % Self.lookShare == 0
        if isLookedAt { lookedAt += 1 }
        let form = form
        form.pack(image, common) { noteWords(from: $0, count: $1, image, isLookedAt: isLookedAt) }
        return form.bytes + exceptions.count * Self.exceptionBytes
    }

    /// Writes the record down that was made of a device.
    mutating func write(_ image: UnsafePointer<UInt64>, to record: UnsafeMutablePointer<UInt64>) {
        UnsafeMutableRawPointer(record).copyMemory(from: form.packed, byteCount: form.bytes)
        record.pointee = Head(number: number, form: forms.count - 1, exceptions: exceptions.count).word
        let others = UnsafeMutableRawPointer(record) + form.bytes
        let places = others + exceptions.count * 8
        for place in 0..<exceptions.count {
            others.storeBytes(of: image[exceptions[place]] & fieldBytes[exceptions[place]], toByteOffset: 8 * place, as: UInt64.self)
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
        setPersonal(person)
        for place in 0..<personal.count { image[personal[place]] = common[personal[place]] }
        let form = head.form == forms.count - 1 ? form : forms[head.form]
        form.unpack(UnsafeRawPointer(record), common, into: image)
        let others = UnsafeRawPointer(record) + form.bytes
        let places = others + head.exceptions * 8
        for place in 0..<head.exceptions {
            let position = places.load(fromByteOffset: 4 * place, as: Int32.self)
            image[Int(truncatingIfNeeded: position)] = others.load(fromByteOffset: 8 * place, as: UInt64.self)
            exceptions.append(position)
        }
    }

    private mutating func setPersonal(_ person: UInt64) {
        if person == commonPerson { return }
        commonPerson = person
        for place in 0..<personal.count { common[personal[place]] = impersonal[place] ^ person }
    }

    // MARK: What differs

    private mutating func noteWords(from position: Int, count: Int, _ image: UnsafePointer<UInt64>, isLookedAt: Bool) {
        for place in position..<position + count {
            let difference = (image[place] ^ common[place]) & mustMatch[place]
            if difference == 0 { continue }
            exceptions.append(Int32(truncatingIfNeeded: place))
            if !isLookedAt { continue }
            for byte in 0..<8 where difference >> (8 * byte) & 0xff != 0 { differed[8 * place + byte] &+= 1 }
        }
    }

    /// From now on records are of a form that has room for what was an exception often.
    private mutating func choose() {
        if forms.count == 1 { choosePersonal() }
        for byte in 0..<8 * count {
            if Int(differed[byte]) * Self.keptFrom >= lookedAt { mustMatch[byte / 8] &= ~(0xff << (8 * UInt64(byte % 8))) }
            differed[byte] = 0
        }
        for place in 0..<personal.count { mustMatch[personal[place]] = fieldBytes[personal[place]] }
        let mustMatch = mustMatch
        let isPadding = Self.isPadding(fieldBytes)
        form = RecordForm(words: count, isPadding: isPadding) { mustMatch[$0 / 8] >> (8 * UInt64($0 % 8)) & 1 == 0 && !isPadding($0) }
        forms.append(form)
        (lookedAt, nextChoice) = (0, written * Self.laterChoice)
    }

    private static func isPadding(_ fieldBytes: [UInt64]) -> (_ byte: Int) -> Bool { { fieldBytes[$0 / 8] >> (8 * UInt64($0 % 8)) & 1 == 0 } }

    private mutating func findCandidates(_ image: UnsafePointer<UInt64>, _ person: UInt64) {
        let difference = person ^ firstPerson
        candidates = (candidates ?? Array(0..<count)).filter { fieldBytes[$0] == .max && common[$0] ^ image[$0] == difference }
    }

    /// Every record so far holds its personal words as exceptions, unless it is the first person's: so all of them can still be read.
    private mutating func choosePersonal() {
        for place in candidates ?? [] {
            personal.append(Int32(place))
            impersonal.append(common[place] ^ firstPerson)
        }
        // The personal words are the first person's so far.
        commonPerson = firstPerson
        candidates = nil
    }
}

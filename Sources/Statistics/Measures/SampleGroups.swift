/// The division of people into groups from which sampling variances are estimated: people are drawn independently, so
/// groups of them are too.
///
/// A person's group is a function of their number alone, so the counts of threads, shards and ranks add up to the same
/// groups. People come in blocks of one group, small ones first, so that a small fleet has groups of nearly one size.
public enum SampleGroups {
    /// As many as make a variance known to a quarter.
    public static let count = 32

    private static let smallBlocks = 128
    private static let sizeOfSmall = 8
    private static let sizeOfLarge = 32

    /// A block of people of one group.
    public static func block(of person: Int) -> Int {
        let small = smallBlocks * sizeOfSmall
        return person < small ? person / sizeOfSmall : smallBlocks + (person - small) / sizeOfLarge
    }

    public static func group(ofBlock block: Int) -> Int { block % count }
    public static func group(of person: Int) -> Int { group(ofBlock: block(of: person)) }

    /// How many of so many people are in each group.
    public static func sizes(people: Int) -> [Int] {
        var sizes = [Int](repeating: 0, count: count)
        var person = 0
        while person < people {
            let size = min(people - person, person < smallBlocks * sizeOfSmall ? sizeOfSmall : sizeOfLarge)
            sizes[group(of: person)] += size
            person += size
        }
        return sizes
    }
}

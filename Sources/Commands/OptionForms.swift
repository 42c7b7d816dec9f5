import ArgumentParser

// An option is declared by its name, where that is not the property's, the word for what it takes, and its help.

extension Option {
    init<T: ExpressibleByArgument>(
        _ name: String? = nil, takes value: String, _ help: String, completion: CompletionKind? = nil
    ) where Value == T? {
        self.init(name: .of(name), help: ArgumentHelp(help, value), completion: completion)
    }

    /// One that can stand several times.
    init<T: ExpressibleByArgument>(
        wrappedValue: [T], _ name: String? = nil, takes value: String, _ help: String,
        completion: CompletionKind? = nil
    ) where Value == [T] {
        self.init(wrappedValue: wrappedValue, name: .of(name), help: ArgumentHelp(help, value), completion: completion)
    }
}

extension Option where Value: ExpressibleByArgument {
    init(
        wrappedValue: Value, _ name: String? = nil, takes value: String, _ help: String,
        completion: CompletionKind? = nil
    ) {
        self.init(wrappedValue: wrappedValue, name: .of(name), help: ArgumentHelp(help, value), completion: completion)
    }

    /// One that must be given.
    init(_ name: String? = nil, takes value: String, _ help: String, completion: CompletionKind? = nil) {
        self.init(name: .of(name), help: ArgumentHelp(help, value), completion: completion)
    }
}

extension NameSpecification {
    fileprivate static func of(_ name: String?) -> Self { name.map { .customLong($0) } ?? .long }
}

extension ArgumentHelp {
    fileprivate init(_ help: String, _ value: String) { self.init(help, valueName: value) }
}

extension ValidationError {
    /// Refuses a number that an option does not take.
    static func check(_ number: Int?, of option: String, in range: ClosedRange<Int>) throws {
        guard let number, !range.contains(number) else { return }
        throw ValidationError("\(option) takes a number from \(range.lowerBound) to \(range.upperBound).")
    }
}

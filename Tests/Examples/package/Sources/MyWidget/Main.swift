import Reloadsim

/// The program `reloadsim` with the provider in it: `swift run -c release MyWidget run scenario.yaml`.
@main enum Main {
    static func main() {
        ReloadsimProgram.main(providers: ["mine": MyProvider()])
    }
}

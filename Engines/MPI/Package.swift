// swift-tools-version: 6.1
import PackageDescription

/// The name by which pkg-config knows the MPI: `ompi-c` (Open MPI) or `mpich`. scripts/reloadsim-mpi sets it to the one
/// that is there.
let mpi = Context.environment["RELOADSIM_MPI"] ?? "ompi-c"

let package = Package(
    name: "reloadsim-mpi",
    products: [.executable(name: "reloadsim-mpi", targets: ["reloadsim-mpi"])],
    dependencies: [.package(name: "reloadsim", path: "../..")],
    targets: [
        .systemLibrary(name: "CMPI", pkgConfig: mpi, providers: [.apt(["libopenmpi-dev"]), .brew(["open-mpi"])]),
        .executableTarget(
            name: "reloadsim-mpi", dependencies: ["CMPI", .product(name: "ReloadsimCommands", package: "reloadsim")]),
    ],
    swiftLanguageModes: [.v6]
)

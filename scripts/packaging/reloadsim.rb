# A Homebrew formula, filled in by scripts/packaging/formula.py with the archive of sources that scripts/package makes.
class Reloadsim < Formula
  desc "Simulator of fleets of devices whose widgets reload under a budget"
  @HOMEPAGE@
  url "@URL@"
  version "@VERSION@"
  sha256 "@SHA256@"
  license "GPL-3.0-or-later"

  depends_on "pkgconf" => :build
  depends_on xcode: ["26.0", :build]
  depends_on "gsl"
  depends_on macos: :sequoia
  depends_on "nettle"

  def install
    # SwiftPM's own sandbox cannot run inside Homebrew's.
    system "swift", "build", "--disable-sandbox", "--configuration", "release", "--product", "reloadsim"
    bin.install ".build/release/reloadsim"
    pkgshare.install "Scenarios"
    doc.install Dir["*.md"], "docs", "Reports"
    generate_completions_from_executable(bin/"reloadsim", "--generate-completion-script")
  end

  test do
    output = shell_output("#{bin}/reloadsim run #{pkgshare}/Scenarios/first-look.yaml --people 20 --out #{testpath}/out 2>&1")
    assert_match "fingerprint", output
    assert_path_exists testpath/"out/summary.csv"
  end
end

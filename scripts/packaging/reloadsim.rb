# A Homebrew formula for a tap, from the repository's own sources; OWNER is to be filled in. It was written by the book, and nobody has run it yet.
class Reloadsim < Formula
  desc "Simulator of fleets of devices whose widgets reload under a budget"
  homepage "https://github.com/OWNER/reloadsim"
  license "GPL-3.0-or-later"
  head "https://github.com/OWNER/reloadsim.git", branch: "main"

  depends_on "pkgconf" => :build
  depends_on xcode: ["16.3", :build]
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
    output = shell_output("#{bin}/reloadsim run #{pkgshare}/Scenarios/first-look.yaml --people 20 --out #{testpath}/out")
    assert_match "fingerprint", output
    assert_path_exists testpath/"out/summary.csv"
  end
end

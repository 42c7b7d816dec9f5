import CGSL
import Testing

@testable import Stochastics

import ResultFiles
import Basics

/// Gatling: a simulation in its Java dialect that reads the steps of an open injection profile.
extension ExportContents {
    var gatling: [ExportFile] {
        let steps = rateSteps
        return [
            ExportFile("ReloadLoad.java", text: GatlingSimulation.text(origin)),
            ExportFile("steps.csv", Script.CSV.self, lines: steps.count) { (add) throws(OutputProblem) in
                try add("milliseconds,users_per_s")
                for step in steps { try add("\(step.milliseconds),\(step.rate)") }
            },
            targetsCSV,
        ]
    }
}

private enum GatlingSimulation {
    static func text(_ origin: String) -> ScriptText<Script.Java> {
        """
        // \(comment: origin)
        // Put this file with the simulations (src/test/java), and steps.csv and targets.csv with the resources
        // (src/test/resources). Every user is one request; an open model: users arrive whatever becomes of those before
        // them.
        import static io.gatling.javaapi.core.CoreDsl.*;
        import static io.gatling.javaapi.http.HttpDsl.*;

        import io.gatling.javaapi.core.*;
        import io.gatling.javaapi.http.*;
        import java.io.BufferedReader;
        import java.io.IOException;
        import java.io.InputStreamReader;
        import java.io.UncheckedIOException;
        import java.nio.charset.StandardCharsets;
        import java.time.Duration;
        import java.util.ArrayList;
        import java.util.List;

        public class ReloadLoad extends Simulation {
          private static List<OpenInjectionStep> steps() {
            List<OpenInjectionStep> steps = new ArrayList<>();
            try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(ReloadLoad.class.getResourceAsStream("/steps.csv"), StandardCharsets.UTF_8))) {
              lines.readLine();
              for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] fields = line.split(",");
                Duration length = Duration.ofMillis(Long.parseLong(fields[0]));
                double rate = Double.parseDouble(fields[1]);
                steps.add(rate == 0 ? nothingFor(length) : constantUsersPerSec(rate).during(length));
              }
            } catch (IOException error) {
              throw new UncheckedIOException(error);
            }
            return steps;
          }

          // Each address stands in the file as often as the fleet asks for it, so a draw of any row has the fleet's
          // popularity.
          ScenarioBuilder reloads = scenario("reloads").feed(csv("targets.csv").random()).exec(http("#{endpoint}").get("#{url}"));

          {
            setUp(reloads.injectOpen(steps())).protocols(http);
          }
        }
        """
    }
}

import Basics

/// Locust: a shape of users by the second. It is a closed model, which the file says.
extension ExportContents {
    var locust: [ExportFile] {
        let seconds = RateStep.seconds(of: collected.played).flatMap {
            Array(repeating: $0.rate, count: $0.tenths / 10)
        }
        return [
            ExportFile("locustfile.py", text: LocustFile.text(origin, host: target.base)),
            ExportFile(
                "users.json", lines: seconds.count,
                text: ScriptText<Script.JSON>("\(json: .array(seconds.map { .integer(Int64($0)) }), .scalarsOnOneLine)")
            ),
            targetsCSV,
        ]
    }
}

private enum LocustFile {
    static func text(_ origin: String, host: String) -> ScriptText<Script.Python> {
        """
        # -*- coding: utf-8 -*-
        # Run it with: locust --headless -f locustfile.py
        # \(comment: origin)
        '''The simulated requests a second as a number of users.

        Locust is a closed model: each user waits for its answer before it asks again. Users here ask once a second, so there are as many as requests a second,
        and the load follows the fleet only while answers take less than a second. A server that slows down is asked less, as it would not be by the fleet;
        and nothing within a second is kept. For a herd use k6, h2load or gor.
        '''
        import csv
        import json
        import pathlib
        import random

        from locust import HttpUser, LoadTestShape, constant_throughput, task

        FOLDER = pathlib.Path(__file__).parent
        USERS = json.loads((FOLDER / "users.json").read_text())
        MOST = max([1, *USERS])
        # Each address stands in the file as often as the fleet asks for it, so a draw of any row has the fleet's popularity.
        with open(FOLDER / "targets.csv", newline="", encoding="utf-8") as file:
            TARGETS = [(row["endpoint"], row["url"]) for row in csv.DictReader(file)]


        class ReloadShape(LoadTestShape):
            '''As many users as requests in the second; Locust asks once a second.'''

            def tick(self):
                second = int(self.get_run_time())
                if second >= len(USERS):
                    return None
                return USERS[second], MOST


        class ReloadUser(HttpUser):
            host = \(quoted: host)
            wait_time = constant_throughput(1)

            @task
            def reload(self):
                endpoint, url = random.choice(TARGETS)
                self.client.get(url, name=endpoint)
        """
    }
}

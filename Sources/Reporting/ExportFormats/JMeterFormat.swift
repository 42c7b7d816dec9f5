import Basics

/// JMeter 5.5 and later: an Open Model Thread Group.
extension ExportContents {
    var jmeter: [ExportFile] {
        let steps = rateSteps
        var schedule: [ScriptText<Script.JMeter>] = []
        for step in steps {
            let length: ScriptText<Script.JMeter> =
                step.milliseconds % 1_000 == 0 ? "\(step.milliseconds / 1_000) sec" : "\(step.milliseconds) ms"
            // A rate on both sides of the arrivals is a constant one.
            schedule.append(
                step.rate == 0
                    ? "pause(\(length))" : "rate(\(step.rate)/sec) even_arrivals(\(length)) rate(\(step.rate)/sec)")
        }
        // The schedule's end interrupts the requests that are under way.
        schedule.append("pause(60 sec)")
        return [
            ExportFile(
                "load.jmx", lines: schedule.count,
                text: JMeterPlan.text(origin, schedule: .joined(schedule, separator: "\n"))),
            targetsCSV,
        ]
    }
}

private enum JMeterPlan {
    static func text(_ origin: String, schedule: ScriptText<Script.JMeter>) -> ScriptText<Script.JMeter> {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <jmeterTestPlan version="1.2" properties="5.0" jmeter="5.6.3">
          <hashTree>
            <TestPlan guiclass="TestPlanGui" testclass="TestPlan" testname="reloads">
              <stringProp name="TestPlan.comments">\(content: origin)</stringProp>
              <elementProp name="TestPlan.user_defined_variables" elementType="Arguments" guiclass="ArgumentsPanel" testclass="Arguments">
                <collectionProp name="Arguments.arguments"/>
              </elementProp>
            </TestPlan>
            <hashTree>
              <CSVDataSet guiclass="TestBeanGUI" testclass="CSVDataSet" testname="targets">
                <stringProp name="filename">targets.csv</stringProp>
                <stringProp name="fileEncoding">UTF-8</stringProp>
                <stringProp name="variableNames"></stringProp>
                <boolProp name="ignoreFirstLine">false</boolProp>
                <stringProp name="delimiter">,</stringProp>
                <boolProp name="quotedData">true</boolProp>
                <boolProp name="recycle">true</boolProp>
                <boolProp name="stopThread">false</boolProp>
                <stringProp name="shareMode">shareMode.all</stringProp>
              </CSVDataSet>
              <hashTree/>
              <OpenModelThreadGroup guiclass="OpenModelThreadGroupGui" testclass="OpenModelThreadGroup" testname="reloads">
                <elementProp name="ThreadGroup.main_controller" elementType="OpenModelThreadGroupController"/>
                <stringProp name="ThreadGroup.on_sample_error">continue</stringProp>
                <stringProp name="OpenModelThreadGroup.schedule">\(schedule)</stringProp>
                <longProp name="OpenModelThreadGroup.random_seed">1</longProp>
              </OpenModelThreadGroup>
              <hashTree>
                <HTTPSamplerProxy guiclass="HttpTestSampleGui" testclass="HTTPSamplerProxy" testname="${endpoint}">
                  <stringProp name="HTTPSampler.path">${url}</stringProp>
                  <stringProp name="HTTPSampler.method">GET</stringProp>
                  <boolProp name="HTTPSampler.use_keepalive">true</boolProp>
                  <elementProp name="HTTPsampler.Arguments" elementType="Arguments" guiclass="HTTPArgumentsPanel" testclass="Arguments">
                    <collectionProp name="Arguments.arguments"/>
                  </elementProp>
                </HTTPSamplerProxy>
                <hashTree/>
              </hashTree>
            </hashTree>
          </hashTree>
        </jmeterTestPlan>
        """
    }
}

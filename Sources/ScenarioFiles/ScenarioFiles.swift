// ScenarioFiles

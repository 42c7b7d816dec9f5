// WidgetPlatform

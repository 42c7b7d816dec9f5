import Reloadsim

/// Providers after the policies of public widgets, by the names that scenarios call them.
enum Examples {
    static let providers: [String: any WidgetProvider] = [
        "site_statistics": SiteStatistics(), "house_sensors": HouseSensors(), "glucose": Glucose(),
        "favourites": Favourites(), "screen_time": ScreenTime(), "medicine": Medicine(), "feed": Feed(),
        "picture_of_the_day": PictureOfTheDay(), "word_of_the_day": WordOfTheDay(), "digest": Digest(),
        "hourly_weather": HourlyWeather(), "daylight": Daylight(), "shares": Shares(), "parcel": Parcel(),
        "next_event": NextEvent(), "departures": Departures(), "rings": Rings(), "headline": Headline(),
        "score": Score(), "photographs": Photographs(), "local_weather": LocalWeather(),
    ]
}

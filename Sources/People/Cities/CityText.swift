/// The cities as text, read once at set-up: name, country (ISO 3166), latitude and longitude in degrees, millions of
/// people in the metropolitan area, time zone, edge region. A long array literal of structures would take the compiler
/// minutes.
///
/// Zones, and the coordinates of their principal cities, follow the tz database's zone1970.tab and zone.tab, which are
/// in the public domain. Populations are public figures for metropolitan areas about 2024 (US Census metropolitan
/// areas; elsewhere the level of the UN's World Urbanization Prospects), rounded to two digits or so: good enough to
/// share people out, and for nothing else. A city's number is its line here, and its plane of places follows from it:
/// new cities go to the end.
enum CityText {
    static let lines = """
        New York,US,40.71,-74.01,19.5,America/New_York,us-east
        Philadelphia,US,39.95,-75.17,6.2,America/New_York,us-east
        Washington,US,38.91,-77.04,6.3,America/New_York,us-east
        Miami,US,25.76,-80.19,6.2,America/New_York,us-east
        Atlanta,US,33.75,-84.39,6.3,America/New_York,us-east
        Boston,US,42.36,-71.06,4.9,America/New_York,us-east
        Detroit,US,42.33,-83.05,4.3,America/Detroit,us-east
        Tampa,US,27.95,-82.46,3.3,America/New_York,us-east
        Baltimore,US,39.29,-76.61,2.8,America/New_York,us-east
        Orlando,US,28.54,-81.38,2.8,America/New_York,us-east
        Charlotte,US,35.23,-80.84,2.8,America/New_York,us-east
        Pittsburgh,US,40.44,-80.00,2.4,America/New_York,us-east
        Cincinnati,US,39.10,-84.51,2.3,America/New_York,us-east
        Cleveland,US,41.50,-81.69,2.1,America/New_York,us-east
        Columbus,US,39.96,-83.00,2.2,America/New_York,us-east
        Indianapolis,US,39.77,-86.16,2.1,America/Indiana/Indianapolis,us-east
        Virginia Beach,US,36.85,-75.98,1.8,America/New_York,us-east
        Jacksonville,US,30.33,-81.66,1.7,America/New_York,us-east
        Providence,US,41.82,-71.41,1.7,America/New_York,us-east
        Raleigh,US,35.78,-78.64,1.5,America/New_York,us-east
        Richmond,US,37.54,-77.44,1.3,America/New_York,us-east
        Louisville,US,38.25,-85.76,1.4,America/Kentucky/Louisville,us-east
        Buffalo,US,42.89,-78.88,1.2,America/New_York,us-east
        Hartford,US,41.77,-72.67,1.2,America/New_York,us-east
        Rochester,US,43.16,-77.61,1.1,America/New_York,us-east
        Grand Rapids,US,42.96,-85.67,1.1,America/Detroit,us-east
        Greenville,US,34.85,-82.40,0.96,America/New_York,us-east
        Knoxville,US,35.96,-83.92,0.92,America/New_York,us-east
        Albany,US,42.65,-73.75,0.90,America/New_York,us-east
        Columbia,US,34.00,-81.03,0.86,America/New_York,us-east
        Charleston,US,32.78,-79.93,0.85,America/New_York,us-east
        Portland (Maine),US,43.66,-70.26,0.56,America/New_York,us-east
        Chicago,US,41.88,-87.63,9.3,America/Chicago,us-central
        Dallas,US,32.78,-96.80,8.1,America/Chicago,us-central
        Houston,US,29.76,-95.37,7.5,America/Chicago,us-central
        Minneapolis,US,44.98,-93.27,3.7,America/Chicago,us-central
        Saint Louis,US,38.63,-90.20,2.8,America/Chicago,us-central
        San Antonio,US,29.42,-98.49,2.7,America/Chicago,us-central
        Austin,US,30.27,-97.74,2.5,America/Chicago,us-central
        Kansas City,US,39.10,-94.58,2.2,America/Chicago,us-central
        Nashville,US,36.16,-86.78,2.1,America/Chicago,us-central
        Milwaukee,US,43.04,-87.91,1.6,America/Chicago,us-central
        Oklahoma City,US,35.47,-97.52,1.5,America/Chicago,us-central
        Memphis,US,35.15,-90.05,1.3,America/Chicago,us-central
        Birmingham (Alabama),US,33.52,-86.80,1.2,America/Chicago,us-central
        Tulsa,US,36.15,-95.99,1.0,America/Chicago,us-central
        Omaha,US,41.26,-95.93,0.98,America/Chicago,us-central
        New Orleans,US,29.95,-90.07,0.96,America/Chicago,us-central
        McAllen,US,26.20,-98.23,0.90,America/Chicago,us-central
        Baton Rouge,US,30.45,-91.15,0.87,America/Chicago,us-central
        Little Rock,US,34.75,-92.29,0.76,America/Chicago,us-central
        Des Moines,US,41.59,-93.62,0.74,America/Chicago,us-central
        Madison,US,43.07,-89.40,0.69,America/Chicago,us-central
        Wichita,US,37.69,-97.34,0.65,America/Chicago,us-central
        Fargo,US,46.88,-96.79,0.26,America/Chicago,us-central
        Sioux Falls,US,43.55,-96.73,0.30,America/Chicago,us-central
        Denver,US,39.74,-104.99,3.0,America/Denver,us-central
        Phoenix,US,33.45,-112.07,5.1,America/Phoenix,us-west
        Salt Lake City,US,40.76,-111.89,1.3,America/Denver,us-west
        Tucson,US,32.22,-110.97,1.1,America/Phoenix,us-west
        Albuquerque,US,35.08,-106.65,0.92,America/Denver,us-central
        El Paso,US,31.76,-106.49,0.87,America/Denver,us-central
        Boise,US,43.62,-116.20,0.82,America/Boise,us-west
        Colorado Springs,US,38.83,-104.82,0.77,America/Denver,us-central
        Billings,US,45.78,-108.50,0.19,America/Denver,us-west
        Los Angeles,US,34.05,-118.24,12.8,America/Los_Angeles,us-west
        San Francisco,US,37.77,-122.42,4.6,America/Los_Angeles,us-west
        Riverside,US,33.95,-117.40,4.7,America/Los_Angeles,us-west
        Seattle,US,47.61,-122.33,4.0,America/Los_Angeles,us-west
        San Diego,US,32.72,-117.16,3.3,America/Los_Angeles,us-west
        Portland,US,45.52,-122.68,2.5,America/Los_Angeles,us-west
        Sacramento,US,38.58,-121.49,2.4,America/Los_Angeles,us-west
        Las Vegas,US,36.17,-115.14,2.3,America/Los_Angeles,us-west
        San Jose,US,37.34,-121.89,1.9,America/Los_Angeles,us-west
        Fresno,US,36.74,-119.79,1.0,America/Los_Angeles,us-west
        Bakersfield,US,35.37,-119.02,0.91,America/Los_Angeles,us-west
        Spokane,US,47.66,-117.43,0.60,America/Los_Angeles,us-west
        Reno,US,39.53,-119.81,0.50,America/Los_Angeles,us-west
        Anchorage,US,61.22,-149.90,0.40,America/Anchorage,us-west
        Honolulu,US,21.31,-157.86,0.99,Pacific/Honolulu,us-west
        Toronto,CA,43.65,-79.38,6.7,America/Toronto,canada
        Montreal,CA,45.50,-73.57,4.4,America/Toronto,canada
        Ottawa,CA,45.42,-75.70,1.5,America/Toronto,canada
        Quebec City,CA,46.81,-71.21,0.86,America/Toronto,canada
        Hamilton,CA,43.26,-79.87,0.80,America/Toronto,canada
        Winnipeg,CA,49.90,-97.14,0.87,America/Winnipeg,canada
        Regina,CA,50.45,-104.62,0.26,America/Regina,canada
        Calgary,CA,51.05,-114.07,1.7,America/Edmonton,canada
        Edmonton,CA,53.55,-113.49,1.6,America/Edmonton,canada
        Vancouver,CA,49.28,-123.12,3.0,America/Vancouver,canada
        Halifax,CA,44.65,-63.57,0.50,America/Halifax,canada
        Moncton,CA,46.09,-64.78,0.18,America/Moncton,canada
        Saint John's,CA,47.56,-52.71,0.22,America/St_Johns,canada
        Mexico City,MX,19.43,-99.13,22,America/Mexico_City,us-central
        Guadalajara,MX,20.67,-103.35,5.4,America/Mexico_City,us-central
        Monterrey,MX,25.69,-100.32,5.1,America/Monterrey,us-central
        Puebla,MX,19.04,-98.21,3.3,America/Mexico_City,us-central
        Tijuana,MX,32.51,-117.04,2.3,America/Tijuana,us-west
        Leon,MX,21.12,-101.68,1.9,America/Mexico_City,us-central
        Ciudad Juarez,MX,31.74,-106.49,1.6,America/Ciudad_Juarez,us-central
        Merida,MX,20.97,-89.62,1.2,America/Merida,us-central
        Hermosillo,MX,29.07,-110.96,0.94,America/Hermosillo,us-west
        Chihuahua,MX,28.63,-106.08,0.95,America/Chihuahua,us-central
        Culiacan,MX,24.80,-107.39,1.0,America/Mazatlan,us-west
        Cancun,MX,21.16,-86.85,1.0,America/Cancun,us-central
        Guatemala City,GT,14.63,-90.51,3.1,America/Guatemala,us-central
        San Salvador,SV,13.69,-89.22,1.1,America/El_Salvador,us-central
        Tegucigalpa,HN,14.07,-87.19,1.5,America/Tegucigalpa,us-central
        Managua,NI,12.11,-86.24,1.1,America/Managua,us-central
        San Jose (Costa Rica),CR,9.93,-84.08,1.5,America/Costa_Rica,us-central
        Panama City,PA,8.98,-79.52,2.0,America/Panama,us-east
        Havana,CU,23.11,-82.37,2.1,America/Havana,us-east
        Santo Domingo,DO,18.49,-69.93,3.5,America/Santo_Domingo,us-east
        Port-au-Prince,HT,18.54,-72.34,3.0,America/Port-au-Prince,us-east
        San Juan,PR,18.47,-66.11,2.1,America/Puerto_Rico,us-east
        Kingston,JM,18.00,-76.79,1.2,America/Jamaica,us-east
        Port of Spain,TT,10.65,-61.52,0.54,America/Port_of_Spain,us-east
        Sao Paulo,BR,-23.55,-46.63,23,America/Sao_Paulo,south-america
        Rio de Janeiro,BR,-22.91,-43.17,14,America/Sao_Paulo,south-america
        Belo Horizonte,BR,-19.92,-43.94,6.2,America/Sao_Paulo,south-america
        Brasilia,BR,-15.79,-47.88,4.9,America/Sao_Paulo,south-america
        Porto Alegre,BR,-30.03,-51.23,4.2,America/Sao_Paulo,south-america
        Curitiba,BR,-25.43,-49.27,3.8,America/Sao_Paulo,south-america
        Campinas,BR,-22.91,-47.06,3.4,America/Sao_Paulo,south-america
        Goiania,BR,-16.69,-49.26,2.8,America/Sao_Paulo,south-america
        Recife,BR,-8.05,-34.88,4.3,America/Recife,south-america
        Fortaleza,BR,-3.73,-38.52,4.2,America/Fortaleza,south-america
        Salvador,BR,-12.97,-38.50,4.0,America/Bahia,south-america
        Belem,BR,-1.46,-48.50,2.4,America/Belem,south-america
        Manaus,BR,-3.12,-60.02,2.4,America/Manaus,south-america
        Maceio,BR,-9.67,-35.74,1.3,America/Maceio,south-america
        Campo Grande,BR,-20.44,-54.65,0.95,America/Campo_Grande,south-america
        Cuiaba,BR,-15.60,-56.10,0.95,America/Cuiaba,south-america
        Porto Velho,BR,-8.76,-63.90,0.55,America/Porto_Velho,south-america
        Buenos Aires,AR,-34.60,-58.38,16,America/Argentina/Buenos_Aires,south-america
        Cordoba,AR,-31.42,-64.18,1.6,America/Argentina/Cordoba,south-america
        Rosario,AR,-32.95,-60.64,1.6,America/Argentina/Cordoba,south-america
        Mendoza,AR,-32.89,-68.84,1.2,America/Argentina/Mendoza,south-america
        Tucuman,AR,-26.82,-65.22,1.0,America/Argentina/Tucuman,south-america
        Bogota,CO,4.71,-74.07,11,America/Bogota,south-america
        Medellin,CO,6.24,-75.58,4.1,America/Bogota,south-america
        Cali,CO,3.45,-76.53,2.9,America/Bogota,south-america
        Barranquilla,CO,10.97,-74.80,2.3,America/Bogota,south-america
        Lima,PE,-12.05,-77.04,11,America/Lima,south-america
        Arequipa,PE,-16.41,-71.54,0.98,America/Lima,south-america
        Santiago,CL,-33.45,-70.67,6.9,America/Santiago,south-america
        Caracas,VE,10.48,-66.90,3.0,America/Caracas,south-america
        Maracaibo,VE,10.65,-71.64,2.4,America/Caracas,south-america
        Guayaquil,EC,-2.19,-79.89,3.2,America/Guayaquil,south-america
        Quito,EC,-0.18,-78.47,2.0,America/Guayaquil,south-america
        Santa Cruz,BO,-17.78,-63.18,1.8,America/La_Paz,south-america
        La Paz,BO,-16.50,-68.15,2.0,America/La_Paz,south-america
        Asuncion,PY,-25.26,-57.58,3.5,America/Asuncion,south-america
        Montevideo,UY,-34.90,-56.16,1.8,America/Montevideo,south-america
        Georgetown,GY,6.80,-58.16,0.24,America/Guyana,south-america
        London,GB,51.51,-0.13,14,Europe/London,europe-west
        Manchester,GB,53.48,-2.24,2.8,Europe/London,europe-west
        Birmingham,GB,52.48,-1.90,2.7,Europe/London,europe-west
        Leeds,GB,53.80,-1.55,1.9,Europe/London,europe-west
        Glasgow,GB,55.86,-4.25,1.7,Europe/London,europe-west
        Belfast,GB,54.60,-5.93,0.64,Europe/London,europe-west
        Dublin,IE,53.35,-6.26,1.5,Europe/Dublin,europe-west
        Lisbon,PT,38.72,-9.14,3.0,Europe/Lisbon,europe-west
        Porto,PT,41.15,-8.61,1.7,Europe/Lisbon,europe-west
        Madrid,ES,40.42,-3.70,6.8,Europe/Madrid,europe-west
        Barcelona,ES,41.39,2.17,5.7,Europe/Madrid,europe-west
        Valencia,ES,39.47,-0.38,1.6,Europe/Madrid,europe-west
        Seville,ES,37.39,-5.98,1.3,Europe/Madrid,europe-west
        Las Palmas,ES,28.12,-15.43,0.64,Atlantic/Canary,europe-west
        Paris,FR,48.86,2.35,11,Europe/Paris,europe-west
        Lyon,FR,45.76,4.84,1.8,Europe/Paris,europe-west
        Marseille,FR,43.30,5.37,1.6,Europe/Paris,europe-west
        Lille,FR,50.63,3.06,1.1,Europe/Paris,europe-west
        Toulouse,FR,43.60,1.44,1.1,Europe/Paris,europe-west
        Brussels,BE,50.85,4.35,2.1,Europe/Brussels,europe-west
        Antwerp,BE,51.22,4.40,1.1,Europe/Brussels,europe-west
        Amsterdam,NL,52.37,4.90,2.5,Europe/Amsterdam,europe-west
        Rotterdam,NL,51.92,4.48,1.8,Europe/Amsterdam,europe-west
        Luxembourg,LU,49.61,6.13,0.60,Europe/Luxembourg,europe-west
        Reykjavik,IS,64.15,-21.94,0.24,Atlantic/Reykjavik,europe-west
        Berlin,DE,52.52,13.41,4.7,Europe/Berlin,europe-central
        Essen,DE,51.46,7.01,5.1,Europe/Berlin,europe-central
        Cologne,DE,50.94,6.96,3.6,Europe/Berlin,europe-central
        Hamburg,DE,53.55,9.99,3.3,Europe/Berlin,europe-central
        Munich,DE,48.14,11.58,2.9,Europe/Berlin,europe-central
        Frankfurt,DE,50.11,8.68,2.7,Europe/Berlin,europe-central
        Stuttgart,DE,48.78,9.18,2.8,Europe/Berlin,europe-central
        Zurich,CH,47.38,8.54,1.4,Europe/Zurich,europe-central
        Geneva,CH,46.20,6.14,0.62,Europe/Zurich,europe-central
        Vienna,AT,48.21,16.37,2.9,Europe/Vienna,europe-central
        Prague,CZ,50.08,14.44,2.2,Europe/Prague,europe-central
        Brno,CZ,49.20,16.61,0.73,Europe/Prague,europe-central
        Bratislava,SK,48.15,17.11,0.66,Europe/Bratislava,europe-central
        Budapest,HU,47.50,19.04,3.0,Europe/Budapest,europe-central
        Warsaw,PL,52.23,21.01,3.1,Europe/Warsaw,europe-central
        Katowice,PL,50.26,19.02,2.5,Europe/Warsaw,europe-central
        Krakow,PL,50.06,19.94,1.4,Europe/Warsaw,europe-central
        Copenhagen,DK,55.68,12.57,2.0,Europe/Copenhagen,europe-central
        Stockholm,SE,59.33,18.07,2.4,Europe/Stockholm,europe-central
        Gothenburg,SE,57.71,11.97,1.1,Europe/Stockholm,europe-central
        Oslo,NO,59.91,10.75,1.5,Europe/Oslo,europe-central
        Rome,IT,41.90,12.50,4.3,Europe/Rome,europe-central
        Milan,IT,45.46,9.19,4.3,Europe/Rome,europe-central
        Naples,IT,40.85,14.27,3.1,Europe/Rome,europe-central
        Turin,IT,45.07,7.69,1.7,Europe/Rome,europe-central
        Palermo,IT,38.12,13.36,1.0,Europe/Rome,europe-central
        Valletta,MT,35.90,14.51,0.48,Europe/Malta,europe-central
        Ljubljana,SI,46.06,14.51,0.57,Europe/Ljubljana,europe-central
        Zagreb,HR,45.81,15.98,1.1,Europe/Zagreb,europe-central
        Sarajevo,BA,43.86,18.41,0.56,Europe/Sarajevo,europe-central
        Belgrade,RS,44.79,20.45,1.7,Europe/Belgrade,europe-central
        Skopje,MK,42.00,21.43,0.61,Europe/Skopje,europe-central
        Tirana,AL,41.33,19.82,0.91,Europe/Tirane,europe-central
        Helsinki,FI,60.17,24.94,1.6,Europe/Helsinki,europe-east
        Tallinn,EE,59.44,24.75,0.64,Europe/Tallinn,europe-east
        Riga,LV,56.95,24.11,0.86,Europe/Riga,europe-east
        Vilnius,LT,54.69,25.28,0.74,Europe/Vilnius,europe-east
        Athens,GR,37.98,23.73,3.6,Europe/Athens,europe-east
        Thessaloniki,GR,40.64,22.94,1.1,Europe/Athens,europe-east
        Sofia,BG,42.70,23.32,1.5,Europe/Sofia,europe-east
        Bucharest,RO,44.43,26.10,2.3,Europe/Bucharest,europe-east
        Cluj,RO,46.77,23.60,0.42,Europe/Bucharest,europe-east
        Nicosia,CY,35.17,33.36,0.35,Asia/Nicosia,europe-east
        Chisinau,MD,47.01,28.86,0.70,Europe/Chisinau,europe-east
        Kyiv,UA,50.45,30.52,3.5,Europe/Kyiv,europe-east
        Kharkiv,UA,49.99,36.23,1.7,Europe/Kyiv,europe-east
        Odesa,UA,46.48,30.73,1.1,Europe/Kyiv,europe-east
        Minsk,BY,53.90,27.57,2.1,Europe/Minsk,europe-east
        Moscow,RU,55.76,37.62,19,Europe/Moscow,europe-east
        Saint Petersburg,RU,59.93,30.34,5.6,Europe/Moscow,europe-east
        Kazan,RU,55.80,49.11,1.5,Europe/Moscow,europe-east
        Rostov,RU,47.24,39.71,1.5,Europe/Moscow,europe-east
        Kaliningrad,RU,54.71,20.51,0.60,Europe/Kaliningrad,europe-east
        Volgograd,RU,48.71,44.51,1.0,Europe/Volgograd,europe-east
        Samara,RU,53.20,50.15,2.0,Europe/Samara,europe-east
        Yekaterinburg,RU,56.84,60.61,2.0,Asia/Yekaterinburg,europe-east
        Chelyabinsk,RU,55.16,61.40,1.3,Asia/Yekaterinburg,europe-east
        Omsk,RU,54.99,73.37,1.2,Asia/Omsk,europe-east
        Novosibirsk,RU,55.03,82.92,1.8,Asia/Novosibirsk,europe-east
        Krasnoyarsk,RU,56.01,92.87,1.2,Asia/Krasnoyarsk,europe-east
        Irkutsk,RU,52.29,104.30,0.85,Asia/Irkutsk,east-asia
        Yakutsk,RU,62.03,129.73,0.36,Asia/Yakutsk,east-asia
        Vladivostok,RU,43.12,131.89,0.85,Asia/Vladivostok,east-asia
        Istanbul,TR,41.01,28.98,16,Europe/Istanbul,middle-east
        Ankara,TR,39.93,32.86,5.4,Europe/Istanbul,middle-east
        Izmir,TR,38.42,27.14,3.1,Europe/Istanbul,middle-east
        Tbilisi,GE,41.72,44.79,1.3,Asia/Tbilisi,middle-east
        Yerevan,AM,40.18,44.51,1.1,Asia/Yerevan,middle-east
        Baku,AZ,40.41,49.87,2.4,Asia/Baku,middle-east
        Tehran,IR,35.69,51.39,14,Asia/Tehran,middle-east
        Mashhad,IR,36.30,59.61,3.3,Asia/Tehran,middle-east
        Isfahan,IR,32.65,51.67,2.2,Asia/Tehran,middle-east
        Baghdad,IQ,33.31,44.37,7.7,Asia/Baghdad,middle-east
        Basra,IQ,30.51,47.81,1.4,Asia/Baghdad,middle-east
        Riyadh,SA,24.71,46.68,7.7,Asia/Riyadh,middle-east
        Jeddah,SA,21.49,39.19,4.9,Asia/Riyadh,middle-east
        Dammam,SA,26.42,50.09,1.3,Asia/Riyadh,middle-east
        Dubai,AE,25.20,55.27,5.5,Asia/Dubai,middle-east
        Abu Dhabi,AE,24.45,54.38,1.6,Asia/Dubai,middle-east
        Doha,QA,25.29,51.53,2.4,Asia/Qatar,middle-east
        Manama,BH,26.23,50.59,1.2,Asia/Bahrain,middle-east
        Kuwait City,KW,29.38,47.98,3.3,Asia/Kuwait,middle-east
        Muscat,OM,23.59,58.38,1.7,Asia/Muscat,middle-east
        Sanaa,YE,15.37,44.19,3.3,Asia/Aden,middle-east
        Amman,JO,31.95,35.93,2.3,Asia/Amman,middle-east
        Beirut,LB,33.89,35.50,2.4,Asia/Beirut,middle-east
        Damascus,SY,33.51,36.29,2.6,Asia/Damascus,middle-east
        Aleppo,SY,36.20,37.16,2.2,Asia/Damascus,middle-east
        Tel Aviv,IL,32.09,34.78,4.4,Asia/Jerusalem,middle-east
        Gaza,PS,31.50,34.47,0.80,Asia/Gaza,middle-east
        Kabul,AF,34.53,69.17,4.7,Asia/Kabul,south-asia
        Tashkent,UZ,41.30,69.24,2.6,Asia/Tashkent,south-asia
        Samarkand,UZ,39.65,66.96,0.60,Asia/Samarkand,south-asia
        Almaty,KZ,43.24,76.89,2.1,Asia/Almaty,south-asia
        Astana,KZ,51.17,71.43,1.3,Asia/Almaty,south-asia
        Bishkek,KG,42.87,74.59,1.1,Asia/Bishkek,south-asia
        Dushanbe,TJ,38.56,68.77,1.0,Asia/Dushanbe,south-asia
        Ashgabat,TM,37.96,58.33,0.90,Asia/Ashgabat,south-asia
        Karachi,PK,24.86,67.00,17,Asia/Karachi,south-asia
        Lahore,PK,31.55,74.34,14,Asia/Karachi,south-asia
        Rawalpindi,PK,33.57,73.02,3.7,Asia/Karachi,south-asia
        Faisalabad,PK,31.42,73.08,3.7,Asia/Karachi,south-asia
        Delhi,IN,28.61,77.21,33,Asia/Kolkata,south-asia
        Mumbai,IN,19.08,72.88,22,Asia/Kolkata,south-asia
        Kolkata,IN,22.57,88.36,15,Asia/Kolkata,south-asia
        Bangalore,IN,12.97,77.59,14,Asia/Kolkata,south-asia
        Chennai,IN,13.08,80.27,12,Asia/Kolkata,south-asia
        Hyderabad,IN,17.39,78.49,11,Asia/Kolkata,south-asia
        Ahmedabad,IN,23.02,72.57,8.9,Asia/Kolkata,south-asia
        Surat,IN,21.17,72.83,8.3,Asia/Kolkata,south-asia
        Pune,IN,18.52,73.86,7.3,Asia/Kolkata,south-asia
        Jaipur,IN,26.91,75.79,4.3,Asia/Kolkata,south-asia
        Lucknow,IN,26.85,80.95,4.0,Asia/Kolkata,south-asia
        Kochi,IN,9.93,76.27,3.5,Asia/Kolkata,south-asia
        Indore,IN,22.72,75.86,3.4,Asia/Kolkata,south-asia
        Kanpur,IN,26.45,80.33,3.3,Asia/Kolkata,south-asia
        Nagpur,IN,21.15,79.09,3.1,Asia/Kolkata,south-asia
        Patna,IN,25.59,85.14,2.6,Asia/Kolkata,south-asia
        Dhaka,BD,23.81,90.41,24,Asia/Dhaka,south-asia
        Chittagong,BD,22.36,91.78,5.5,Asia/Dhaka,south-asia
        Colombo,LK,6.93,79.86,3.0,Asia/Colombo,south-asia
        Kathmandu,NP,27.72,85.32,1.6,Asia/Kathmandu,south-asia
        Thimphu,BT,27.47,89.64,0.20,Asia/Thimphu,south-asia
        Male,MV,4.18,73.51,0.18,Indian/Maldives,south-asia
        Yangon,MM,16.84,96.17,5.7,Asia/Yangon,southeast-asia
        Mandalay,MM,21.96,96.09,1.6,Asia/Yangon,southeast-asia
        Bangkok,TH,13.76,100.50,11,Asia/Bangkok,southeast-asia
        Chiang Mai,TH,18.79,98.99,1.2,Asia/Bangkok,southeast-asia
        Vientiane,LA,17.98,102.63,0.72,Asia/Vientiane,southeast-asia
        Phnom Penh,KH,11.56,104.92,2.4,Asia/Phnom_Penh,southeast-asia
        Ho Chi Minh City,VN,10.82,106.63,9.6,Asia/Ho_Chi_Minh,southeast-asia
        Hanoi,VN,21.03,105.85,5.4,Asia/Ho_Chi_Minh,southeast-asia
        Da Nang,VN,16.05,108.20,1.3,Asia/Ho_Chi_Minh,southeast-asia
        Kuala Lumpur,MY,3.14,101.69,8.8,Asia/Kuala_Lumpur,southeast-asia
        Kuching,MY,1.55,110.34,0.65,Asia/Kuching,southeast-asia
        Singapore,SG,1.35,103.82,6.0,Asia/Singapore,southeast-asia
        Bandar Seri Begawan,BN,4.90,114.94,0.27,Asia/Brunei,southeast-asia
        Jakarta,ID,-6.21,106.85,34,Asia/Jakarta,southeast-asia
        Surabaya,ID,-7.26,112.75,6.5,Asia/Jakarta,southeast-asia
        Bandung,ID,-6.92,107.62,7.0,Asia/Jakarta,southeast-asia
        Medan,ID,3.60,98.67,3.6,Asia/Jakarta,southeast-asia
        Makassar,ID,-5.15,119.43,1.7,Asia/Makassar,southeast-asia
        Pontianak,ID,-0.03,109.34,0.69,Asia/Pontianak,southeast-asia
        Jayapura,ID,-2.53,140.72,0.41,Asia/Jayapura,southeast-asia
        Manila,PH,14.60,120.98,25,Asia/Manila,southeast-asia
        Cebu,PH,10.32,123.89,3.0,Asia/Manila,southeast-asia
        Davao,PH,7.19,125.46,1.9,Asia/Manila,southeast-asia
        Dili,TL,-8.56,125.57,0.28,Asia/Dili,southeast-asia
        Tokyo,JP,35.68,139.69,37,Asia/Tokyo,east-asia
        Osaka,JP,34.69,135.50,19,Asia/Tokyo,east-asia
        Nagoya,JP,35.18,136.91,9.6,Asia/Tokyo,east-asia
        Fukuoka,JP,33.59,130.40,5.5,Asia/Tokyo,east-asia
        Sapporo,JP,43.06,141.35,2.7,Asia/Tokyo,east-asia
        Sendai,JP,38.27,140.87,2.3,Asia/Tokyo,east-asia
        Hiroshima,JP,34.39,132.46,2.1,Asia/Tokyo,east-asia
        Seoul,KR,37.57,126.98,25,Asia/Seoul,east-asia
        Busan,KR,35.18,129.08,3.5,Asia/Seoul,east-asia
        Daegu,KR,35.87,128.60,2.2,Asia/Seoul,east-asia
        Pyongyang,KP,39.04,125.76,3.2,Asia/Pyongyang,east-asia
        Taipei,TW,25.03,121.57,7.0,Asia/Taipei,east-asia
        Taichung,TW,24.15,120.67,2.8,Asia/Taipei,east-asia
        Kaohsiung,TW,22.63,120.30,2.8,Asia/Taipei,east-asia
        Hong Kong,HK,22.32,114.17,7.5,Asia/Hong_Kong,east-asia
        Macau,MO,22.20,113.54,0.68,Asia/Macau,east-asia
        Ulaanbaatar,MN,47.89,106.91,1.6,Asia/Ulaanbaatar,east-asia
        Shanghai,CN,31.23,121.47,29,Asia/Shanghai,china
        Beijing,CN,39.90,116.41,22,Asia/Shanghai,china
        Guangzhou,CN,23.13,113.26,19,Asia/Shanghai,china
        Shenzhen,CN,22.54,114.06,18,Asia/Shanghai,china
        Chongqing,CN,29.56,106.55,17,Asia/Shanghai,china
        Tianjin,CN,39.34,117.36,14,Asia/Shanghai,china
        Wuhan,CN,30.59,114.31,13,Asia/Shanghai,china
        Chengdu,CN,30.57,104.07,17,Asia/Shanghai,china
        Nanjing,CN,32.06,118.80,9.7,Asia/Shanghai,china
        Hangzhou,CN,30.27,120.16,11,Asia/Shanghai,china
        Xi'an,CN,34.34,108.94,11,Asia/Shanghai,china
        Shenyang,CN,41.81,123.43,7.7,Asia/Shanghai,china
        Qingdao,CN,36.07,120.38,7.0,Asia/Shanghai,china
        Zhengzhou,CN,34.75,113.63,8.5,Asia/Shanghai,china
        Harbin,CN,45.80,126.53,6.5,Asia/Shanghai,china
        Kunming,CN,25.04,102.71,5.4,Asia/Shanghai,china
        Changsha,CN,28.23,112.94,6.1,Asia/Shanghai,china
        Xiamen,CN,24.48,118.09,5.1,Asia/Shanghai,china
        Urumqi,CN,43.83,87.62,4.1,Asia/Urumqi,china
        Sydney,AU,-33.87,151.21,5.4,Australia/Sydney,oceania
        Melbourne,AU,-37.81,144.96,5.2,Australia/Melbourne,oceania
        Brisbane,AU,-27.47,153.03,2.7,Australia/Brisbane,oceania
        Perth,AU,-31.95,115.86,2.2,Australia/Perth,oceania
        Adelaide,AU,-34.93,138.60,1.4,Australia/Adelaide,oceania
        Hobart,AU,-42.88,147.33,0.25,Australia/Hobart,oceania
        Darwin,AU,-12.46,130.84,0.15,Australia/Darwin,oceania
        Auckland,NZ,-36.85,174.76,1.7,Pacific/Auckland,oceania
        Christchurch,NZ,-43.53,172.64,0.41,Pacific/Auckland,oceania
        Port Moresby,PG,-9.44,147.18,0.41,Pacific/Port_Moresby,oceania
        Suva,FJ,-18.14,178.44,0.18,Pacific/Fiji,oceania
        Noumea,NC,-22.28,166.46,0.20,Pacific/Noumea,oceania
        Hagatna,GU,13.47,144.75,0.17,Pacific/Guam,oceania
        Papeete,PF,-17.54,-149.57,0.14,Pacific/Tahiti,oceania
        Apia,WS,-13.83,-171.77,0.06,Pacific/Apia,oceania
        Cairo,EG,30.04,31.24,22,Africa/Cairo,africa
        Alexandria,EG,31.20,29.92,5.7,Africa/Cairo,africa
        Khartoum,SD,15.50,32.56,6.3,Africa/Khartoum,africa
        Tripoli,LY,32.89,13.19,1.2,Africa/Tripoli,africa
        Tunis,TN,36.81,10.18,2.5,Africa/Tunis,africa
        Algiers,DZ,36.75,3.06,2.9,Africa/Algiers,africa
        Oran,DZ,35.70,-0.63,0.94,Africa/Algiers,africa
        Casablanca,MA,33.57,-7.59,3.9,Africa/Casablanca,africa
        Rabat,MA,34.02,-6.84,2.0,Africa/Casablanca,africa
        Dakar,SN,14.72,-17.47,3.4,Africa/Dakar,africa
        Bamako,ML,12.64,-8.00,3.0,Africa/Bamako,africa
        Conakry,GN,9.64,-13.58,2.1,Africa/Conakry,africa
        Abidjan,CI,5.36,-4.01,5.9,Africa/Abidjan,africa
        Ouagadougou,BF,12.37,-1.52,3.3,Africa/Ouagadougou,africa
        Accra,GH,5.60,-0.19,2.7,Africa/Accra,africa
        Kumasi,GH,6.69,-1.62,3.9,Africa/Accra,africa
        Lome,TG,6.13,1.22,2.0,Africa/Lome,africa
        Cotonou,BJ,6.37,2.43,0.74,Africa/Porto-Novo,africa
        Niamey,NE,13.51,2.11,1.5,Africa/Niamey,africa
        Lagos,NG,6.52,3.38,16,Africa/Lagos,africa
        Kano,NG,12.00,8.52,4.5,Africa/Lagos,africa
        Ibadan,NG,7.38,3.90,4.0,Africa/Lagos,africa
        Abuja,NG,9.08,7.40,4.0,Africa/Lagos,africa
        Port Harcourt,NG,4.82,7.03,3.6,Africa/Lagos,africa
        Douala,CM,4.05,9.70,4.2,Africa/Douala,africa
        Yaounde,CM,3.85,11.50,4.5,Africa/Douala,africa
        N'Djamena,TD,12.13,15.06,1.7,Africa/Ndjamena,africa
        Libreville,GA,0.39,9.45,0.87,Africa/Libreville,africa
        Kinshasa,CD,-4.32,15.31,17,Africa/Kinshasa,africa
        Lubumbashi,CD,-11.66,27.48,2.8,Africa/Lubumbashi,africa
        Brazzaville,CG,-4.26,15.24,2.6,Africa/Brazzaville,africa
        Luanda,AO,-8.84,13.23,9.6,Africa/Luanda,africa
        Addis Ababa,ET,9.03,38.74,5.7,Africa/Addis_Ababa,africa
        Mogadishu,SO,2.05,45.32,2.7,Africa/Mogadishu,africa
        Nairobi,KE,-1.29,36.82,5.5,Africa/Nairobi,africa
        Mombasa,KE,-4.04,39.67,1.5,Africa/Nairobi,africa
        Kampala,UG,0.35,32.58,4.1,Africa/Kampala,africa
        Kigali,RW,-1.94,30.06,1.3,Africa/Kigali,africa
        Bujumbura,BI,-3.38,29.36,1.3,Africa/Bujumbura,africa
        Dar es Salaam,TZ,-6.79,39.21,8.2,Africa/Dar_es_Salaam,africa
        Juba,SS,4.85,31.58,0.46,Africa/Juba,africa
        Lusaka,ZM,-15.39,28.32,3.3,Africa/Lusaka,africa
        Harare,ZW,-17.83,31.05,1.6,Africa/Harare,africa
        Lilongwe,MW,-13.96,33.77,1.3,Africa/Blantyre,africa
        Maputo,MZ,-25.97,32.57,1.2,Africa/Maputo,africa
        Antananarivo,MG,-18.88,47.51,4.0,Indian/Antananarivo,africa
        Port Louis,MU,-20.16,57.50,0.55,Indian/Mauritius,africa
        Saint-Denis,RE,-20.88,55.45,0.32,Indian/Reunion,africa
        Gaborone,BW,-24.65,25.91,0.41,Africa/Gaborone,africa
        Windhoek,NA,-22.56,17.08,0.49,Africa/Windhoek,africa
        Johannesburg,ZA,-26.20,28.05,10,Africa/Johannesburg,africa
        Cape Town,ZA,-33.92,18.42,4.9,Africa/Johannesburg,africa
        Durban,ZA,-29.86,31.02,3.2,Africa/Johannesburg,africa
        Pretoria,ZA,-25.75,28.19,2.9,Africa/Johannesburg,africa
        """
}

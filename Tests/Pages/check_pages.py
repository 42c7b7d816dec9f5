"""Looks at pages: their figures beside the tables, and the pages themselves in a browser.

    check_pages.py [--pictures] FOLDER...

Of each folder's report.html:
- Every figure that names a cell (a `data` element) has the value of that cell, and shows it rounded.
- The tables under the charts of a run are computed again from the CSV files, by other code than the page's, and have the same numbers.
- In Chromium, 400, 900 and 1,600 pixels wide, in light and in dark: nothing is wider than the screen, no label of a chart touches another or leaves the
  screen, no text is smaller than 11 pixels; so it is printed on A4, with the tables that are
  folded left out, every chart with its title, on a few pages. The page says nothing to the console and asks for no other file. axe finds
  nothing that keeps people from reading, and without scripts the page is the same.
Without a browser the figures are compared all the same. Ends with 1 if anything is wrong.
"""

import collections
import csv
import html.parser
import os
import re
import sys

WIDTHS = (400, 900, 1600)
MOST_SHEETS = 13
PROBLEMS = []


def problem(page, text):
    PROBLEMS.append(f"{page}: {text}")


# Reading a page


class PageReader(html.parser.HTMLParser):
    """The figures, the tables and the titles of a page."""

    def __init__(self):
        super().__init__()
        self.figures, self.tables, self.titles = [], {}, []
        self.figure = self.table = self.cell = self.title = None

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "data":
            self.figure = [attributes.get("value", ""), attributes.get("title", ""), ""]
        elif tag == "table" and attributes.get("id", "").endswith("-table"):
            self.table = self.tables.setdefault(attributes["id"][: -len("-table")], [])
        elif tag == "tr" and self.table is not None:
            self.end_cell()
            self.table.append([])
        elif tag in ("th", "td") and self.table is not None:
            self.end_cell()
            self.cell = ""
        elif tag in ("tbody", "thead"):
            self.end_cell()
        elif tag == "h3":
            self.title = ""

    def handle_endtag(self, tag):
        if tag == "data" and self.figure:
            self.figures.append(self.figure)
            self.figure = None
        elif tag == "table":
            self.end_cell()
            self.table = None
        elif tag == "h3":
            self.titles.append(self.title)
            self.title = None

    def handle_data(self, data):
        if self.figure:
            self.figure[2] += data
        if self.cell is not None:
            self.cell += data
        if self.title is not None:
            self.title += data

    def end_cell(self):
        if self.cell is not None:
            self.table[-1].append(self.cell)
            self.cell = None


UNITS = {
    "%": 0.01, "µs": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600, "d": 86400, "million": 1e6, "billion": 1e9,
    "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
}


def shown_value(text):
    """The number that a text of the page shows, with the size of its last digit."""
    sign = -1 if text.startswith("−") else 1
    parts = re.findall(r"([0-9][0-9,]*(?:\.[0-9]+)?)\s*([^\s0-9]*)", text.replace("\u00a0", " "))
    if not parts:
        raise ValueError(f"no number in '{text}'")
    value, step = 0.0, 0.0
    for number, unit in parts:
        factor = UNITS.get(unit, 1)
        decimals = len(number.split(".")[1]) if "." in number else 0
        value += float(number.replace(",", "")) * factor
        step = factor * 10**-decimals
        # A length of time leaves its zeros out: a whole number of hours is one of minutes.
        if unit in ("h", "d") and len(parts) == 1:
            step = 60 if unit == "h" else 3600
        if unit == "min" and len(parts) == 1:
            step = 1
    return sign * value, step


def is_rounding(text, value):
    shown, step = shown_value(text)
    # Zeros at the end of decimals are left out, so the last digit may stand further left than it was rounded at.
    return abs(shown - value) <= max(step, abs(value) * 0.005) * 0.5 + 1e-9


class Tables:
    def __init__(self, folder):
        self.folder, self.read = folder, {}

    def rows(self, file):
        if file not in self.read:
            with open(os.path.join(self.folder, file), newline="") as stream:
                self.read[file] = list(csv.DictReader(stream))
        return self.read[file]

    def has(self, file):
        return os.path.exists(os.path.join(self.folder, file))


def check_figures(name, page, tables):
    for value, source, text in page.figures:
        found = re.fullmatch(r"([^:]+): (\S+) where (.+)", source)
        if not found:
            problem(name, f"the figure '{text}' names no cell: '{source}'")
            continue
        file, column, conditions = found.groups()
        wanted = [condition.split("=", 1) for condition in conditions.split(", ")]
        cells = {row[column] for row in tables.rows(file) if all(row[key] == cell for key, cell in wanted)}
        if cells != {value}:
            problem(name, f"{source}: the page has {value}, the table {sorted(cells)}")
        elif not is_rounding(text, float(value)):
            problem(name, f"{source}: the page shows '{text}' of {value}")


# Tables under charts, computed again


def number(text):
    return float(text.replace(",", "").replace("−", "-")) if text else None


def same(name, chart, found, expected, tolerance=0.0):
    """Compares a column of a page's table with numbers."""
    for row, (text, value) in enumerate(zip(found, expected, strict=True)):
        shown = number(text)
        if (shown is None) != (value is None):
            problem(name, f"{chart}, row {row + 1}: the page has '{text}', the tables {value}")
            return
        if shown is not None and abs(shown - value) > max(tolerance * abs(value), 1e-9 + (0.5 if isinstance(value, float) and tolerance == 0 else 0)):
            problem(name, f"{chart}, row {row + 1}: the page has {text}, the tables {value}")
            return


def column(table, title):
    return [row[table[0].index(title)] for row in table[1:]]


def sums(rows, key, *values):
    result = collections.defaultdict(lambda: [0] * len(values))
    for row in rows:
        for place, value in enumerate(values):
            result[row[key]][place] += float(row[value] or 0)
    return result


STATES = {
    "fresh": "fresh", "stale": "stale", "wrong place": "wrong_place", "of no place": "alternate", "nothing yet": "empty", "hidden": "redacted",
    "placeholder": "placeholder",
}


def check_states(name, chart, table, groups):
    """Views by state: `groups` has the rows of the CSV for each row of the table."""
    for state, cell in STATES.items():
        expected = [sum(int(row["views_" + cell]) for row in rows) for rows in groups]
        if state in table[0]:
            same(name, f"{chart}, {state}", column(table, state), expected)
        elif sum(expected):
            problem(name, f"{chart}: no column of views that are {state}")
    same(name, f"{chart}, views", column(table, "views"), [sum(int(row["views"]) for row in rows) for rows in groups])


def check_run(name, page, tables):
    def has(chart):
        return chart in page.tables and len(page.tables[chart]) > 1

    load = tables.rows("load.csv")
    if has("load-curve"):
        table = page.tables["load-curve"]
        total = sum(int(row["requests"]) for row in load)
        same(name, "load-curve, all requests", [str(sum(int(number(cell)) for cell in column(table, "requests")))], [total])
        by_region = sums(load, "region", "requests")
        for region, (expected,) in by_region.items():
            if region in table[0]:
                same(name, f"load-curve, {region}", [str(sum(int(number(cell)) for cell in column(table, region)))], [int(expected)])
        bins = collections.Counter()
        for row in load:
            bins[int(row["bin_start_s"])] += int(row["requests"])
        largest = [title for title in table[0] if title.startswith("largest ")]
        shown = column(table, largest[0] if largest else "requests")
        same(name, "load-curve, largest bin", [str(max(int(number(cell)) for cell in shown))], [max(bins.values(), default=0)])
    if has("peak-causes"):
        table = page.tables["peak-causes"]
        parts = [row for row in tables.rows("load_peak_causes.csv") if row["stage"] == "edge" and row["endpoint"] == "*"]
        windows = list(dict.fromkeys(row["window_s"] for row in parts))
        expected = [sum(int(row["minute_requests"]) for row in parts if row["window_s"] == window) for window in windows]
        peaks = {row["window_s"]: row for row in tables.rows("load_peaks.csv") if row["stage"] == "edge" and row["endpoint"] == "*"}
        # Windows longer than the report have no peak and no row.
        same(name, "peak-causes", column(table, "in its minutes"), expected)
        same(name, "peak-causes", column(table, "requests in it"), [int(peaks[window]["sliding_peak_requests"]) for window in windows])
        for row, window in zip(table[1:], windows):
            causes = sums([part for part in parts if part["window_s"] == window], "cause", "minute_requests")
            if sorted(int(number(cell)) for cell in row[3:] if number(cell)) != sorted(int(value) for (value,) in causes.values()):
                problem(name, f"peak-causes, {row[0]}: the page has {row[3:]}, the tables {dict(causes)}")
    if has("views-hours"):
        hours = tables.rows("views_by_hour.csv")
        check_states(name, "views-hours", page.tables["views-hours"], [[row for row in hours if int(row["local_hour"]) == hour] for hour in range(24)])
    for chart, key in (("views-kinds", "kind"), ("views-permission", "location_mode")):
        if has(chart):
            rows = tables.rows("staleness.csv")
            words = {"none": "not by place"}
            groups = [[row for row in rows if words.get(row[key], row[key].replace("_", " ")) == cells[0] or row[key] == cells[0]] for cells in page.tables[chart][1:]]
            check_states(name, chart, page.tables[chart], groups)
    if has("views-weekdays"):
        rows = [row for row in tables.rows("staleness_hours.csv") if row["segment"] == "*" and row["kind"] == "*"]
        check_states(
            name, "views-weekdays", page.tables["views-weekdays"], [[row for row in rows if row["weekday"] == cells[0][:3].lower()] for cells in page.tables["views-weekdays"][1:]])
    if has("budget-hours"):
        own = [row for row in tables.rows("budget.csv") if row["pool"] == "own"]
        hourly = sums(own, "local_hour", "accrued_tokens", "spent_tokens", "expired_tokens")
        for place, title in enumerate(("accrued, tokens", "spent, tokens", "expired, tokens")):
            same(name, f"budget-hours, {title}", column(page.tables["budget-hours"], title), [hourly[str(hour)][place] for hour in range(24)])
    if has("gates"):
        table = page.tables["gates"]
        gates = sums(tables.rows("budget_waits.csv"), "gate", "waits", "wait_s")
        for place, title in enumerate(("waits", "waiting, s")):
            same(name, f"gates, {title}", column(table, title), [gates[row[0].replace(" ", "_")][place] for row in table[1:]])
    if has("causes"):
        table = page.tables["causes"]
        causes = sums(tables.rows("reload_causes.csv"), "cause", "started_charged", "started_free")
        for place, title in enumerate(("charged", "free")):
            if sorted(number(cell) for cell in column(table, title)) != sorted(values[place] for values in causes.values() if sum(values)):
                problem(name, f"causes, {title}: {column(table, title)} beside {dict(causes)}")
    if has("failures"):
        table = page.tables["failures"]
        rows = tables.rows("service.csv")
        for title, cells in (("ended", ("served", "refused", "timed_out")), ("failed", ("refused", "timed_out"))):
            same(name, f"failures, {title}", [str(sum(int(number(cell)) for cell in column(table, title)))], [sum(int(row[cell]) for row in rows for cell in cells)])
    if has("incidents"):
        table = page.tables["incidents"]
        rows = tables.rows("service_incidents.csv")
        if len({row["region"] for row in rows}) <= 2:
            rows = [row for row in rows if row["region"] == "*"]
        for title, cell in (("requests", "requests"), ("failed", "failed"), ("failed in the worst minute", "worst_minute_failed")):
            same(name, f"incidents, {title}", column(table, title), [int(row[cell]) if row[cell] else None for row in rows[: len(table) - 1]])
    if has("service-flow"):
        table = page.tables["service-flow"]
        rows = tables.rows("service.csv")
        mean = ", mean" if "served, mean" in table[0] else ""
        for title, cell in (("offered", "offered"), ("served", "served"), ("refused", "refused"), ("timed out", "timed_out"), ("at the origin", "origin_requests")):
            title = title + mean if title + mean in table[0] else title
            same(name, f"service-flow, {title}", [str(sum(int(number(cell)) for cell in column(table, title)))], [sum(int(row[cell]) for row in rows)])
    if has("control-views"):
        groups = collections.defaultdict(list)
        for row in tables.rows("controls.csv"):
            groups[f"{row['kind']}, {row['place'].replace('_', ' ')}"].append(row)
        table = page.tables["control-views"]
        for title, cell in (("views", "views"), ("fresh", "views_fresh"), ("stale", "views_stale")):
            same(name, f"control-views, {title}", column(table, title), [sum(int(row[cell]) for row in groups[cells[0]]) for cells in table[1:]])
    if has("control-reloads"):
        cells = ("reloads_action", "reloads_call", "reloads_push", "reloads_other")
        kinds = sums(tables.rows("controls.csv"), "kind", *cells)
        for row in page.tables["control-reloads"][1:]:
            same(name, f"control-reloads, {row[0]}", row[1:], [int(value) for value in kinds[row[0]]])
    for chart, titles in (
        ("transfer-times", ("deferral_mean_s", "deferral_p50_s", "deferral_p95_s")),
        ("transfer-outcomes", ("shown_free", "shown_charged", "dropped", "failed", "carried_out", "waiting_out")),
    ):
        if has(chart):
            kinds = {row["kind"]: row for row in tables.rows("background_transfers.csv")}
            for row in page.tables[chart][1:]:
                same(name, f"{chart}, {row[0]}", row[1:], [float(kinds[row[0]][title]) for title in titles], 1e-12)
    if has("peak-window"):
        table = page.tables["peak-window"]
        rows = [row for row in tables.rows("load_peak_window.csv") if row["stage"] == "edge" and row["window_s"] == "1"]
        endpoints = {row["endpoint"] for row in rows}
        if "*" in endpoints and len(endpoints) > 1:
            rows = [row for row in rows if row["endpoint"] != "*"]
        same(name, "peak-window", [str(sum(int(number(cell)) for cell in column(table, "requests")))], [sum(int(row["requests"]) for row in rows)])
    if has("peak-minutes"):
        table = page.tables["peak-minutes"]
        rows = [row for row in tables.rows("load_peak_minutes.csv") if row["stage"] == "edge" and row["window_s"] == "1"]
        minutes = sums(rows, "start_s", "requests")
        starts = range(min(map(int, minutes)), max(map(int, minutes)) + 1, 60)
        same(name, "peak-minutes", column(table, "requests"), [int(minutes[str(start)][0]) for start in starts])
        causes, regions = sums(rows, "cause", "requests"), sums(rows, "region", "requests")
        places = [place for place, title in enumerate(table[0]) if place > 0 and title not in ("requests", "a second")]
        shown = [sum(int(number(row[place])) for row in table[1:]) for place in places]
        # Few causes have columns of their own; regions stand there where there is more than one.
        parts = [regions] if len(regions) > 1 else []
        expected = sum(int(value) for part in parts + [causes] for (value,) in part.values())
        if sum(shown) != expected or any(int(value) not in shown for part in parts for (value,) in part.values()):
            problem(name, f"peak-minutes: {shown} beside {dict(causes)} and {dict(regions)}")
    for chart, metrics in (("lags", ("lag_mean_s", "lag_p50_s", "lag_p95_s", "lag_p99_s")), ("ages", ("age_p50_s", "age_p95_s", "age_p99_s"))):
        if has(chart):
            cells = {(row["scope"], row["name"], row["metric"]): row["value"] for row in tables.rows("summary.csv")}
            for row in page.tables[chart][1:]:
                place = ("run", "") if row[0] in ("all views", "all kinds") else ("kind", row[0])
                same(name, f"{chart}, {row[0]}", row[1:], [float(cells[(*place, metric)]) for metric in metrics], 1e-12)
    for title in page.titles:
        if title.startswith("Largest second "):
            peak = [row for row in tables.rows("load_peaks.csv") if row["stage"] == "edge" and row["endpoint"] == "*" and row["window_s"] == "1"][0]
            if not is_rounding(title[len("Largest second ") :].split(" at ")[0], float(peak["sliding_peak_requests"])):
                problem(name, f"'{title}' beside {peak['sliding_peak_requests']}")


# In a browser

# Gives what is wrong with the page as it stands on the screen.
LOOK = r"""
folded => {
  const wrong = [];
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) wrong.push(`the page is ${wide} pixels wide on a screen of ${innerWidth}`);
  const shown = e => { const b = e.getBoundingClientRect(); return b.width > 0 && b.height > 0 && getComputedStyle(e).visibility !== 'hidden'; };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const small = new Set();
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    // What is folded away is not looked at.
    const fold = folded && e.closest('details:not([open])');
    if (fold && !e.closest('summary')) continue;
    if (!walker.currentNode.textContent.trim() || ['SCRIPT', 'STYLE', 'title', 'desc'].includes(e.tagName)) continue;
    // Cells are alike: of each table the first rows stand for the rest.
    const row = e.closest('tbody tr');
    if (row && row.sectionRowIndex > 5 || !shown(e)) continue;
    const size = parseFloat(getComputedStyle(e).fontSize);
    if (size < 10.99) small.add(`${size} pixels: ${walker.currentNode.textContent.trim().slice(0, 40)}`);
  }
  for (const s of small) wrong.push('a text of ' + s);
  for (const svg of document.querySelectorAll('figure .draw > svg')) {
    const id = svg.closest('figure').id;
    const texts = [...svg.querySelectorAll('text')].filter(shown).map(e => ({ t: e.textContent, b: e.getBoundingClientRect() }));
    for (const [i, a] of texts.entries()) {
      if (a.b.left < -2 || a.b.right > innerWidth + 2) wrong.push(`${id}: '${a.t}' leaves the screen (${a.b.left.toFixed(0)} to ${a.b.right.toFixed(0)})`);
      for (const b of texts.slice(i + 1)) {
        const w = Math.min(a.b.right, b.b.right) - Math.max(a.b.left, b.b.left), h = Math.min(a.b.bottom, b.b.bottom) - Math.max(a.b.top, b.b.top);
        if (w > 1 && h > 3) wrong.push(`${id}: '${a.t}' and '${b.t}' touch (${w.toFixed(0)} by ${h.toFixed(0)})`);
      }
    }
  }
  return wrong;
}
"""


def look(pages, pictures):
    import axe_core_python
    from playwright.sync_api import sync_playwright

    axe = open(os.path.join(os.path.dirname(axe_core_python.__file__), "axe.min.js")).read()
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"])
        for name, path in pages:
            address = "file://" + os.path.abspath(path)
            texts = {}
            for scheme in ("light", "dark"):
                context = browser.new_context(viewport={"width": 900, "height": 900}, color_scheme=scheme, reduced_motion="reduce")
                view = context.new_page()
                asked, said = [], []
                view.on("request", lambda request: asked.append(request.url))
                view.on("console", lambda message: said.append(message.text))
                view.on("pageerror", lambda error: said.append(str(error)))
                view.goto(address)
                for width in WIDTHS:
                    view.set_viewport_size({"width": width, "height": 900})
                    for wrong in view.evaluate(LOOK, True):
                        problem(name, f"{width} pixels, {scheme}: {wrong}")
                    if pictures:
                        view.screenshot(path=f"{path[:-5]}-{width}-{scheme}.png", full_page=True)
                texts[scheme] = view.evaluate("document.querySelector('main').innerText")
                if asked != [address]:
                    problem(name, f"{scheme}: it asks for {asked[1:]}")
                for text in said:
                    problem(name, f"{scheme}: it says '{text}'")
                # axe is put in beside the page's policy, which would refuse it: it is no part of the page.
                view.set_viewport_size({"width": 900, "height": 900})
                session = context.new_cdp_session(view)
                session.send("Page.setBypassCSP", {"enabled": True})
                view.reload()
                view.evaluate(axe + "\n;0")
                for found in view.evaluate("axe.run({exclude: ['tbody tr:nth-child(n+4)']}).then(r => r.violations.map(v => v.id + ': ' + v.help + ' (' + v.nodes.map(n => n.target).slice(0, 3).join('; ') + ')'))"):
                    problem(name, f"{scheme}: axe: {found}")
                context.close()
            # A4 less its margins, at 96 pixels an inch.
            context = browser.new_context(viewport={"width": 688, "height": 1000}, color_scheme="dark", reduced_motion="reduce")
            view = context.new_page()
            view.goto(address)
            view.emulate_media(media="print")
            for wrong in view.evaluate(LOOK, False):
                problem(name, f"printed: {wrong}")
            ground = view.evaluate("getComputedStyle(document.body).backgroundColor")
            if ground != "rgb(255, 255, 255)":
                problem(name, f"printed: the ground is {ground}")
            shown = "e => e.checkVisibility({contentVisibilityAuto: true, opacityProperty: true})"
            opened = view.evaluate(f"[...document.querySelectorAll('details:not([open]) table, details:not([open]) pre')].filter({shown}).length")
            if opened:
                problem(name, f"printed: {opened} folded tables are open")
            # Wide tables are printed across the sheet, of which the screen knows nothing.
            cut = view.evaluate("[...document.querySelectorAll('.scroll:not(.wide)')].filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.ariaLabel)")
            for label in cut:
                problem(name, f"printed: the table '{label}' is cut")
            untitled = view.evaluate(f"[...document.querySelectorAll('figure.chart h3')].filter(e => !({shown})(e)).length")
            if untitled:
                problem(name, f"printed: {untitled} charts have no title")
            printed = view.pdf(format="A4", prefer_css_page_size=True, print_background=True)
            sheets = len(re.findall(rb"/Type\s*/Page\b", printed))
            # A comparison of many pairs has two for each.
            pairs = view.evaluate("document.querySelectorAll('section[id^=pair-]').length")
            if sheets > max(MOST_SHEETS, 2 * pairs):
                problem(name, f"printed: {sheets} pages")
            if pictures:
                with open(f"{path[:-5]}.pdf", "wb") as stream:
                    stream.write(printed)
                print(f"{name}: {sheets} printed pages", flush=True)
            context.close()
            context = browser.new_context(viewport={"width": WIDTHS[-1], "height": 900}, java_script_enabled=False, reduced_motion="reduce")
            view = context.new_page()
            view.goto(address)
            # Without scripts the text is asked of the browser and not of the page.
            if view.locator("main").inner_text() != texts["light"]:
                problem(name, "without scripts it has another text")
            view.locator("details > summary").first.press("Enter")
            if not view.locator("details[open]").count():
                problem(name, "without scripts no table opens")
            context.close()
        browser.close()


def main():
    words = sys.argv[1:]
    pictures = "--pictures" in words
    folders = [word for word in words if not word.startswith("--")]
    pages = []
    for folder in folders:
        path = os.path.join(folder, "report.html")
        name = os.path.basename(os.path.normpath(folder))
        with open(path, encoding="utf-8") as stream:
            text = stream.read()
        reader = PageReader()
        reader.feed(text)
        tables = Tables(folder)
        check_figures(name, reader, tables)
        if tables.has("load.csv"):
            check_run(name, reader, tables)
        size = len(text.encode())
        if size > 500_000:
            problem(name, f"{size} bytes")
        pages.append((name, path))
        print(f"{name}: {size} bytes, {len(reader.figures)} figures, {len(reader.tables)} tables", flush=True)
    try:
        import axe_core_python
        import playwright
    except ImportError:
        print("no browser here: the figures were compared, the pages were not looked at")
    else:
        look(pages, pictures)
    for text in PROBLEMS:
        print(text, file=sys.stderr)
    print(f"{len(pages)} pages, {len(PROBLEMS)} problems")
    sys.exit(1 if PROBLEMS else 0)


main()

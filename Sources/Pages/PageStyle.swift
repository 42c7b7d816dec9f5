/// The one style sheet of all pages. The policy of a page allows it by its hash, so no element has a style of its own.
enum PageStyle {
    static let css = (ground + layout + tables + ChartFigure.css + ChartStyle.css + crosshair + print).replacing(
        "\n", with: "")

    /// Colours of the ground and of texts, in light and in dark.
    private static let ground = """
        :root{color-scheme:light dark;--page:#fff;--panel:#f5f7fa;--text:#19222e;--soft:#525d6b;--line:#e7eaef;
            --axis:#8d97a5;--track:#eef1f5;--shade:rgba(213,94,0,.13);--link:#005a8e}
        @media screen and (prefers-color-scheme:dark){:root{--page:#10151c;--panel:#171e28;--text:#e8ebf0;--soft:#a9b3c0;
            --line:#252e3a;--axis:#616d7d;--track:#1d2530;--shade:rgba(240,128,60,.2);--link:#7cc0ee}}
        """

    private static let layout = """
        *{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%;scroll-behavior:smooth}
        @media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
        body{margin:0;background:var(--page);color:var(--text);
            font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums}
        header,main,footer{max-width:1280px;margin:0 auto;padding:0 clamp(16px,4vw,48px)}
        header{padding-top:clamp(28px,5vw,56px)}
        .eyebrow{margin:0 0 6px;font-size:13px;letter-spacing:.08em;text-transform:uppercase;color:var(--soft)}
        h1{margin:0;font-size:clamp(30px,4.6vw,46px);line-height:1.08;letter-spacing:-.022em;font-weight:700;overflow-wrap:anywhere}
        .lead{max-width:68ch;margin:12px 0 0;font-size:clamp(17px,1.8vw,20px);line-height:1.45;color:var(--text)}
        header .facts{margin:12px 0 0;font-size:14px;color:var(--soft)}
        #verdict{margin:clamp(22px,3vw,34px) 0 0}
        .panel{border:1px solid var(--line);border-left:4px solid var(--axis);border-radius:10px;background:var(--panel);padding:20px clamp(16px,2.4vw,28px)}
        .panel.well{border-left-color:var(--good)}.panel.ill{border-left-color:var(--bad)}
        .panel h2{margin:0 0 12px;font-size:20px;line-height:1.3;letter-spacing:-.01em;text-transform:none;color:var(--text);border:0;padding:0}
        .say{max-width:76ch;margin:0 0 10px}.say:last-child{margin-bottom:0}
        .panel .say{font-size:16.5px}
        .mark{display:inline-flex;align-items:center;gap:6px;font-weight:650;white-space:nowrap}
        .mark path{fill:none;stroke:currentColor;stroke-width:2.4;stroke-linecap:round;stroke-linejoin:round}
        .holds{color:var(--good)}.broken{color:var(--bad)}
        .cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,128px),1fr));gap:18px 24px;margin:0 0 18px}
        .cards div{margin:0;min-width:0}.cards dt{font-size:13px;line-height:1.35;color:var(--soft)}
        .cards dd{margin:2px 0 0;font-size:25px;line-height:1.2;font-weight:650;letter-spacing:-.015em}
        .cards dd.note{font-size:13px;font-weight:400;letter-spacing:0;line-height:1.4;color:var(--soft)}
        nav{margin:22px 0 0}nav ul{display:flex;flex-wrap:wrap;gap:6px 22px;margin:0;padding:0;list-style:none;font-size:14px}
        a{color:var(--link);text-underline-offset:3px;text-decoration-thickness:1px}nav a{text-decoration:none}nav a:hover{text-decoration:underline}
        nav a{display:inline-block;padding:4px 0}
        main>section{margin-top:clamp(40px,5vw,64px)}
        h2{margin:0 0 24px;padding-top:14px;border-top:1px solid var(--line);font-size:13px;font-weight:650;letter-spacing:.09em;
            text-transform:uppercase;color:var(--soft)}
        .charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,500px),1fr));gap:44px 56px;align-items:start}
        .charts.small{grid-template-columns:repeat(auto-fit,minmax(min(100%,380px),1fr))}.charts>*{min-width:0}.charts>.full{grid-column:1/-1}
        figure{margin:0}figcaption h3{margin:0;font-size:19px;line-height:1.28;letter-spacing:-.012em;font-weight:650;text-wrap:balance;max-width:60ch}
        .full figcaption h3{font-size:clamp(19px,2.1vw,23px);max-width:80ch}
        figcaption p{margin:5px 0 12px;max-width:74ch;font-size:14px;line-height:1.45;color:var(--soft)}
        .draw{position:relative;padding-right:2px}.m0{padding-right:0}
        .legend{display:flex;flex-wrap:wrap;gap:4px 16px;margin:0 0 8px;padding:0;list-style:none;font-size:13px;color:var(--text)}
        .legend li{display:inline-flex;align-items:center;gap:6px}.legend svg{width:14px;flex:none}
        footer{padding-top:40px;padding-bottom:40px;font-size:13px;color:var(--soft)}
        code,pre{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}code{overflow-wrap:anywhere}
        """

    private static let tables = """
        details{margin-top:10px;font-size:14px}summary{cursor:pointer;padding:4px 0;color:var(--link);width:fit-content}summary span{color:var(--soft)}
        .scroll{overflow:auto;max-height:420px;border:1px solid var(--line);border-radius:8px;margin-top:6px}
        table{border-collapse:collapse;width:100%;font-size:13px;line-height:1.35}th,td{padding:5px 10px;text-align:right;white-space:nowrap}
        th:first-child,td.l{text-align:left}
        thead th{position:sticky;top:0;background:var(--panel);font-weight:600;color:var(--soft);vertical-align:bottom}tbody th{font-weight:400}
        tbody tr{border-top:1px solid var(--line)}
        .soft{color:var(--soft)}.wrap{white-space:normal}.after{margin-top:16px}.panel .scroll{border:0;margin:0 -10px}.panel thead th{background:none}
        td.w{white-space:normal;text-align:left;color:var(--soft)}
        pre{margin:6px 0 0;padding:14px 16px;max-height:520px;overflow:auto;border:1px solid var(--line);border-radius:8px;background:var(--panel)}
        dl.facts{display:grid;grid-template-columns:minmax(110px,max-content) 1fr;gap:6px 20px;margin:0 0 14px;font-size:14px}dl.facts dt{color:var(--soft)}
        dl.facts dd{margin:0;overflow-wrap:anywhere}
        @media (max-width:520px){dl.facts{grid-template-columns:1fr;gap:0}dl.facts dd{margin-bottom:8px}}
        :focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:4px}
        """

    private static let crosshair = """
        .hair{position:absolute;top:0;bottom:26px;width:1px;background:var(--text);opacity:.55;pointer-events:none}
        .tip{position:absolute;top:0;z-index:2;pointer-events:none;padding:8px 11px;border:1px solid var(--line);border-radius:8px;background:var(--page);
            box-shadow:0 4px 18px rgba(0,0,0,.16);font-size:12.5px;line-height:1.5;white-space:nowrap}
        .tip b,.tip span{display:block}.tip[hidden],.hair[hidden]{display:none}
        """

    /// On paper: light, and with what is folded away on the screen.
    private static let print = """
        @page{size:A4;margin:14mm}
        @media print{body{font-size:13px}header,main,footer{max-width:none;padding:0}nav,.hair,.tip,summary{display:none}h1{font-size:30px}
        details::details-content{content-visibility:visible;display:block;block-size:auto}details:not([open])>*{display:block}
        .scroll,pre{max-height:none;overflow:visible;border:0}pre{padding:0;background:none;white-space:pre-wrap;font-size:11px}table{font-size:11px}
        th,td{padding:1px 4px;white-space:normal;overflow-wrap:anywhere}thead th{position:static;background:none}
        .charts{display:block}.charts>*{margin-bottom:28px}.draw,figcaption,.cards div,.panel{break-inside:avoid}figcaption{break-after:avoid}
        main>section{margin-top:28px}
        .full figcaption h3{font-size:18px}*{-webkit-print-color-adjust:exact;print-color-adjust:exact}a{color:inherit}}
        """
}

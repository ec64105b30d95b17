import { colourRules } from "../../kernel/colors-for-pages";

// Geist, reduced to Latin letters and the weights in use: 16 kB, cached by the browser for good. Other scripts use the
// system font, as does the page until Geist has loaded. public/type/README.md says how the file was made.
const TYPE = `@font-face{font-family:Geist;src:url("/type/geist-latin-1.woff2") format("woff2");font-weight:400 600;
font-display:swap;unicode-range:U+20-7E,U+A0-FF,U+2013,U+2014,U+2018-201E,U+2026,U+2190,U+2192,U+20AC}`;

const PAGE = `*{box-sizing:border-box;margin:0}
[hidden]{display:none!important}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{padding:0 24px 64px;background:var(--paper);color:var(--ink);
font:400 16px/1.5 Geist,ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
font-variant-numeric:tabular-nums;-webkit-font-smoothing:antialiased;overflow-wrap:anywhere}
main{max-width:400px;margin:0 auto;padding-top:max(48px,20vh)}
main.form{padding-top:max(48px,8vh)}
main.staff{padding-top:max(48px,14vh)}
main.staff::before{content:"";display:block;width:12px;height:12px;margin-bottom:20px;border:7px solid var(--act);border-radius:50%}
h1{font-size:28px;line-height:1.2;font-weight:600;letter-spacing:-.02em;text-wrap:balance}
h1.long{font-size:20px;line-height:1.3;letter-spacing:-.01em}
h2{font-size:14px;font-weight:600;margin-top:32px}
p{text-wrap:pretty}
b{font-weight:500}
a{color:var(--act);text-underline-offset:3px}
.status{display:flex;align-items:center;gap:8px;margin-bottom:12px;font-size:13px;font-weight:500}
.status::before{content:"";flex:none;width:9px;height:9px;border:2px solid;border-radius:50%}
.status.active{color:var(--active)}.status.pending{color:var(--pending)}
.status.off{color:var(--off)}.status.failed{color:var(--failed)}
.status.active::before,.status.off::before,.status.failed::before{background:currentColor}
.over{margin-bottom:8px;color:var(--quiet);font-size:14px;font-weight:500}
.lead{margin-top:12px}
.more{margin-top:8px;color:var(--quiet);font-size:14px}
.aside{margin-top:32px;padding-top:20px;border-top:1px solid var(--line);color:var(--quiet);font-size:14px}
.ending{margin-top:24px;color:var(--quiet);font-size:14px}
.ending p+p{margin-top:8px}
button{font:inherit;font-size:14px;font-weight:500;min-height:44px;border-radius:8px;cursor:pointer;
touch-action:manipulation;transition:background-color .12s,border-color .12s}
.main{display:block;width:100%;margin-top:28px;padding:8px 20px;border:1px solid transparent;overflow-wrap:anywhere;
background:var(--act);color:var(--on-act)}
.main:hover,.main:active{background:var(--act-press)}
a.main{font-size:14px;font-weight:500;line-height:26px;min-height:44px;border-radius:8px;text-align:center;text-decoration:none}
.other{display:block;width:100%;margin-top:12px;padding:8px 20px;border:1px solid var(--edge);overflow-wrap:anywhere;
background:none;color:var(--ink)}
.other:hover,.other:active{background:var(--well)}
.other:disabled{cursor:default;color:var(--quiet)}
.second{margin-block:4px -12px;margin-inline-start:-12px;padding:8px 12px;border:0;background:none;color:var(--act)}
.second+.second{margin-inline-start:4px}
.second:hover,.second:active{background:var(--well)}
:focus-visible{outline:2px solid var(--act);outline-offset:2px}`;

const FORM = `.field{position:relative;margin-top:20px}
label{display:block;margin-bottom:6px;font-size:14px;font-weight:500}
input,select{display:block;width:100%;min-height:44px;padding:8px 12px;border:1px solid var(--faint);border-radius:8px;
background:transparent;color:inherit;font:inherit}
select{padding-inline:8px;background:var(--paper)}
input:focus,select:focus{outline:2px solid var(--act);outline-offset:-1px;border-color:transparent}
input[aria-invalid=true],select[aria-invalid=true]{border-color:var(--failed)}
.optional{color:var(--quiet);font-weight:400}
.tick{display:grid;grid-template-columns:24px 1fr;gap:0 12px;align-items:center}
.tick input{width:24px;min-height:24px;padding:0;accent-color:var(--act)}
.tick label{margin:0;padding-block:10px}
.tick .wrong{grid-column:2}
.trap{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.notice{margin-top:20px;padding:12px 16px;border-radius:8px;background:var(--pending-well);font-size:14px}
.notice.failed{background:var(--failed-well)}
.reveal{position:absolute;top:-2px;inset-inline-end:0;min-height:24px;padding:0 4px;border:0;background:none;
color:var(--act);font-size:13px}
.agreed{margin-top:24px}
.check{min-height:65px;margin-top:20px}
.hint{margin-top:6px;color:var(--quiet);font-size:13px}
.wrong{margin-top:6px;color:var(--failed);font-size:13px}
.wrong:empty{display:none}
code{font:400 13px/1.6 ui-monospace,"SF Mono",SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}`;

const MOTION = "@media(prefers-reduced-motion:reduce){*{transition:none!important}}";

/** The one style sheet of the public pages. It is inline in each page, so that a page needs no second request. */
export const stylesheet = [TYPE, colourRules, PAGE, FORM, MOTION].join("\n").replaceAll("\n", "");

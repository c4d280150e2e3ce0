import { colourOf, textOn } from '../http/css-colour.ts'
import { type Html, rawHtml } from '../http/html.ts'
import type { Theme } from '../options/pages.ts'

const LIGHT =
  '--page:#f4f5f7;--card:#fff;--text:#16181d;--soft:#5b6270;--line:#d5d9e0;--field:#fff;--edge:#868e9c;--hover:#f4f5f7;--bad:#a3131f;--bad-page:#fdf1f1;--bad-line:#efc7c9'
const DARK =
  '--page:#0f1115;--card:#181b21;--text:#f0f1f4;--soft:#a3aab8;--line:#31363f;--field:#111318;--edge:#737b8a;--hover:#21252d;--bad:#ffb3b0;--bad-page:#331a1d;--bad-line:#6a2d31'

const SHAPE = `
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;min-height:100dvh;display:grid;place-items:center;padding:24px 16px;background:var(--page);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{width:100%;max-width:420px;padding:32px;border:1px solid var(--line);border-radius:16px;background:var(--card);box-shadow:0 12px 32px #0001}
.logo{display:block;max-width:160px;max-height:56px;margin:0 auto 20px}
h1{margin:0;font-size:24px;line-height:1.25;text-align:center}
p{margin:12px 0 0}
.lead,.site{color:var(--soft);text-align:center}
.site{margin-top:4px;overflow-wrap:anywhere}
.lead+.site{margin-top:16px}
.stack{margin-top:24px}
.stack,form,fieldset{display:grid;gap:12px}
fieldset{margin:0;padding:0;border:0;min-width:0}
legend{padding:0;margin-bottom:12px;font-weight:600}
.field{display:grid;gap:6px}
label{font-size:14px;font-weight:600}
input,.button{width:100%;min-height:44px;padding:8px 12px;border:1px solid var(--edge);border-radius:10px;background:var(--field);color:inherit;font:inherit}
input[type=checkbox],input[type=radio]{width:20px;min-height:20px;accent-color:var(--accent)}
.button{display:flex;align-items:center;justify-content:center;gap:10px;font-size:15px;font-weight:500;text-align:center;text-decoration:none;background:var(--card);cursor:pointer}
.button:hover{background:var(--hover)}
.main{font-weight:600;border-color:transparent;background:var(--accent);color:var(--on-accent)}
.main:hover{background:var(--accent);filter:brightness(1.08)}
.mark{flex:none;width:22px;height:22px;border-radius:6px;display:grid;place-items:center;font-size:13px;font-weight:700;background:var(--mark,#5b6270);color:var(--on-mark,#fff)}
.plain{padding:0;background:none;object-fit:contain}
.or{display:flex;align-items:center;gap:12px;color:var(--soft);font-size:14px;margin:4px 0}
.or::before,.or::after{content:"";flex:1;border-top:1px solid var(--line)}
.bad{margin-top:20px;padding:12px 14px;border:1px solid var(--bad-line);border-radius:10px;background:var(--bad-page);color:var(--bad)}
a{color:inherit;text-underline-offset:3px}
:focus-visible{outline:3px solid var(--ring);outline-offset:2px}
.bad:focus{outline:0}
@media (max-width:420px){main{padding:24px 20px}}
`

/**
 * Returns the style sheet of the built-in pages.
 *
 * @param extra additional rules of a page, made only from checked values.
 */
export function styleSheet(theme: Theme, extra = ''): Html {
  const brand = colourOf(theme.brandColor)
  const onBrand = colourOf(theme.buttonText) ?? (brand ? textOn(brand) : undefined)
  const accent = (fallback: string): string =>
    `--accent:${brand ?? fallback};--on-accent:${onBrand ?? '#fff'};--ring:${brand ?? fallback}`
  const light = `${LIGHT};${accent('#4f46e5')}`
  const dark = `${DARK};${accent('#6158f0')};--ring:${brand ?? '#a5a0ff'}`
  const scheme = schemeOf(theme)
  const always = `:root{color-scheme:${scheme};${scheme === 'dark' ? dark : light}}`
  const atNight = scheme === AUTO ? `@media (prefers-color-scheme:dark){:root{${dark}}}` : ''
  return rawHtml(always + atNight + SHAPE + extra)
}

/** The setting of the visitor's system. */
const AUTO = 'light dark'

/** Returns the colour scheme in CSS. Since it is part of the style sheet, unknown values are ignored. */
export function schemeOf({ colorScheme }: Theme): string {
  return colorScheme === 'light' || colorScheme === 'dark' ? colorScheme : AUTO
}

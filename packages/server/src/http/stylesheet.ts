/** The one style of all pages of the service; its hash is in their Content-Security-Policy. */
export const stylesheet = `
:root {
  color-scheme: light dark;
  --page: #f4f5f7; --card: #ffffff; --line: #d5d9e0; --field: #868e9c; --text: #16181d; --soft: #5b6270;
  --accent: #4f46e5; --accent-hover: #4338ca; --on-accent: #ffffff; --link: #4338ca;
  --code: #f4f5f7; --good: #15703a; --good-back: #e5f5ea;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0f1115; --card: #181b21; --line: #31363f; --field: #737b8a; --text: #f0f1f4; --soft: #a3aab8;
    --accent: #6158f0; --accent-hover: #5248e0; --on-accent: #ffffff; --link: #a5a0ff;
    --code: #111318; --good: #86dca4; --good-back: #17301f;
  }
}
*, *::before, *::after { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; display: grid; place-items: center;
  padding: 24px 16px; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
main { width: 100%; max-width: 400px; }
main.wide { max-width: 720px; align-self: start; }
.card {
  background: var(--card); border: 1px solid var(--line); border-radius: 16px; padding: 32px;
  box-shadow: 0 1px 2px rgb(0 0 0 / 4%), 0 12px 32px rgb(0 0 0 / 6%);
}
.card + .card { margin-top: 16px; }
h1 { margin: 0 0 8px; font-size: 24px; line-height: 1.25; letter-spacing: -0.01em; }
h2 { margin: 0 0 4px; font-size: 17px; line-height: 1.35; overflow-wrap: anywhere; }
p { margin: 0 0 16px; overflow-wrap: anywhere; }
.card > :last-child { margin-bottom: 0; }
.soft, .eyebrow, dt { color: var(--soft); }
.eyebrow { margin: 0 0 4px; font-size: 14px; }
a { color: var(--link); text-underline-offset: 3px; }
.badge {
  display: inline-block; margin: 0 0 12px; padding: 2px 12px; border-radius: 999px; font-size: 14px;
  border: 1px solid var(--line); color: var(--soft);
}
.badge.good { background: var(--good-back); color: var(--good); border-color: transparent; }
.button, button {
  display: flex; align-items: center; justify-content: center; width: 100%; min-height: 44px; padding: 8px 20px;
  border: 1px solid transparent; border-radius: 10px; background: var(--accent); color: var(--on-accent);
  font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer;
}
.button:hover, button:hover { background: var(--accent-hover); }
.button.second, button.second { background: transparent; color: var(--text); border-color: var(--field); }
.button.second:hover, button.second:hover { background: var(--code); }
.actions { display: grid; gap: 12px; margin-top: 24px; }
.actions.row { display: flex; flex-wrap: wrap; }
.actions.row > * { width: auto; flex: 1 1 160px; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
label { display: block; margin: 0 0 6px; font-weight: 600; }
input[type="text"] {
  width: 100%; min-height: 44px; padding: 8px 12px; border: 1px solid var(--field); border-radius: 10px;
  background: var(--card); color: var(--text); font: inherit;
}
.hint { margin: 6px 0 0; font-size: 14px; color: var(--soft); }
fieldset { margin: 0 0 20px; padding: 0; border: 0; min-width: 0; }
ul.plain { margin: 0 0 16px; padding: 0 0 0 20px; }
pre {
  margin: 16px 0 0; padding: 16px; border: 1px solid var(--line); border-radius: 10px; background: var(--code);
  font: 13px/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere;
}
nav { display: flex; flex-wrap: wrap; gap: 0 20px; margin-top: 16px; font-size: 15px; }
nav a { display: inline-flex; align-items: center; min-height: 44px; }
details { margin-top: 12px; }
summary { min-height: 44px; display: flex; align-items: center; cursor: pointer; color: var(--link); border-radius: 6px; }
summary::before { content: "+"; width: 20px; font-weight: 600; }
details[open] > summary::before { content: "\\2212"; }
iframe { display: block; width: 100%; height: 420px; border: 1px solid var(--line); border-radius: 10px; background: #ffffff; color-scheme: light; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 4px 16px; margin: 0; font-size: 15px; }
dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 420px) { .card { padding: 24px 20px; } }
@media (prefers-reduced-motion: no-preference) { .button, button { transition: background-color 120ms; } }
`

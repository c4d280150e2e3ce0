/** The document, its text, and what only some visitors see. */
export const BASE = `
*,::before,::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;background:var(--page);color:var(--text);font:.9375rem/1.5 var(--font);overflow-wrap:anywhere}
h1,h2,h3{margin:0;line-height:1.3;font-weight:600;text-wrap:balance}
h1{font-size:1.375rem;letter-spacing:-.015em}
h2{font-size:1rem;letter-spacing:-.005em}
h3{font-size:.9375rem}
[dir=rtl] :is(h1,h2){letter-spacing:0}
[dir=rtl] .flip{transform:scaleX(-1)}
p{margin:0;text-wrap:pretty}
ul,ol,dl,dd{margin:0;padding:0;list-style:none}
strong{font-weight:600}
code,.mono{font-family:var(--mono);font-size:.9em}
a{color:inherit;text-decoration-color:var(--edge);text-underline-offset:.2em}
a:hover{text-decoration-color:currentColor}
svg,img{display:block;flex:none}
.i{width:1.25rem;height:1.25rem;fill:none;stroke:currentColor;stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round}
[hidden]:not([data-script]){display:none!important}
@media not (scripting:enabled){[data-script][hidden]{display:none!important}}
:focus-visible{outline:2px solid var(--ring);outline-offset:2px}
[tabindex="-1"]:focus{outline:0}
.sr{position:absolute;width:1px;height:1px;padding:0;margin:-1px;border:0;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.lead,.note{color:var(--soft)}
.lead strong{color:var(--text);font-weight:500}
.note{font-size:.8125rem}
`

/** A page with one card: a step, a question, an error. */
export const CARD = `
.card{width:100%;max-width:25rem;margin:clamp(1rem,12vh,8rem) auto 0;padding:var(--pad);border:1px solid var(--line);border-radius:calc(var(--radius)*2);background:var(--card);box-shadow:var(--lift)}
.wide{max-width:32rem}
.brand{position:relative;display:inline-flex;align-items:center;gap:.625rem;font-weight:600;text-decoration:none}
.brand img{height:2rem;width:auto;max-width:11rem;object-fit:contain}
.tile{flex:none;display:grid;place-items:center;width:2.5rem;height:2.5rem;border-radius:calc(var(--radius)*.9);background:var(--accent);color:var(--on-accent);font-size:1.125rem;font-weight:600;line-height:1}
.card>.brand{margin-bottom:1.25rem}
.card>.lead{margin-top:.375rem}
.card>.notice,.card>.note,.card>.links,.card>.who{margin-top:1.25rem}
.acts{display:flex;flex-wrap:wrap;gap:.5rem}
.acts .button{width:auto}
.stack{display:grid;gap:.75rem}
.card>.stack,.card>form{margin-top:1.5rem}
.card>.button{margin-top:.75rem}
form{display:grid;gap:1rem}
form.stack{gap:.75rem}
fieldset{display:grid;gap:.75rem;min-width:0;margin:0;padding:0;border:0}
legend{margin-bottom:.75rem;padding:0;font-weight:550;font-size:.875rem}
.card>footer{margin:var(--pad) calc(var(--pad)*-1) calc(var(--pad)*-1);padding:1rem var(--pad);border-top:1px solid var(--line);border-radius:0 0 calc(var(--radius)*2) calc(var(--radius)*2);background:var(--tint);color:var(--soft);font-size:.875rem}
.card>footer a{padding-block:.25rem;color:var(--text);font-weight:500}
.foot{display:flex;flex-wrap:wrap;justify-content:center;gap:.25rem 1.25rem;margin-top:auto;padding:2rem 1rem 1.25rem;color:var(--soft);font-size:.8125rem}
.foot a{padding-block:.25rem;text-decoration:none}
.languages{flex-basis:100%;text-align:center}
.languages>summary{display:inline-flex;align-items:center;gap:.375rem;padding-block:.25rem;cursor:pointer}
.languages .i{width:1rem;height:1rem}
.languages>div{display:flex;flex-wrap:wrap;justify-content:center;gap:.25rem 1rem;padding-block-start:.25rem}
.foot a:hover{text-decoration:underline}
.links{display:grid;gap:.25rem;justify-items:start;font-size:.875rem}
.links>*{padding-block:.125rem}
`

/** Beside the card, a panel of the brand. */
export const SPLIT = `
.split{background:var(--card)}
.panel{display:none}
@media (min-width:60rem){
.split{display:grid;grid-template:1fr auto/minmax(24rem,5fr) 7fr}
.split>.card{border:0;background:none;box-shadow:none}
.split>.card>footer{margin-top:1.5rem;padding-top:0;border:0;background:none}
.split>.card>.brand{display:none}
.panel{grid-row:1/3;display:flex;flex-direction:column;justify-content:space-between;gap:2rem;padding:2.5rem;background:var(--panel);background:radial-gradient(at 100% 0,var(--glow),#0000 65%) var(--panel);color:var(--on-panel)}
.panel p{max-width:24ch;font-size:1.5rem;line-height:1.3;font-weight:600;letter-spacing:-.015em}
.panel .tile{background:var(--on-panel);color:var(--panel)}
}
`

/** Fields and what stands beside them. */
export const FIELDS = `
.field{display:grid;gap:.375rem;min-width:0}
.field>label,.labels{font-size:.875rem;font-weight:550}
.labels{display:flex;justify-content:space-between;align-items:baseline;gap:1rem}
.labels a{margin-block:-.125rem;padding-block:.125rem;color:var(--soft);font-weight:400}
input,select,textarea{width:100%;min-height:var(--control);padding:.5rem .75rem;border:1px solid var(--edge);border-radius:var(--radius);background:var(--card);color:inherit;font:inherit}
input::placeholder{color:var(--soft);opacity:1}
:is(input,select,textarea):focus-visible{outline-offset:-1px;border-color:var(--ring)}
:is([type=checkbox],[type=radio]){flex:none;width:1.125rem;height:1.125rem;min-height:0;margin:.1875rem 0 0;accent-color:var(--accent)}
.check{display:flex;gap:.625rem;align-items:start}
.check input{margin-top:.375rem}
.check label{padding-block:.1875rem}
.check .note{display:block}
[dir=rtl] [type=email]{direction:ltr;text-align:end}
[aria-invalid=true]{border-color:var(--bad)}
.error{display:flex;gap:.375rem;color:var(--bad);font-size:.8125rem;font-weight:500}
.error .i{width:1rem;height:1rem;margin-top:.125rem}
.with{position:relative;display:grid}
.with>input{padding-inline-end:3rem}
.with>button{position:absolute;inset-block:0;inset-inline-end:0;display:grid;place-items:center;width:2.75rem;padding:0;border:0;border-radius:var(--radius);background:none;color:var(--soft);cursor:pointer}
.with>button:hover{color:var(--text)}
.with [data-on],.with [aria-pressed=true] [data-off]{display:none}
.with [aria-pressed=true] [data-on]{display:block}
.meter{display:grid;grid-template-columns:repeat(4,1fr);gap:.25rem}
.field+.meter{margin-top:-.5rem}
.meter i{height:.25rem;border-radius:1rem;background:var(--line)}
.meter[data-score="1"] i:nth-child(1){background:var(--bad)}
.meter[data-score="2"] i:nth-child(-n+2){background:var(--warn)}
.meter[data-score="3"] i:nth-child(-n+3),.meter[data-score="4"] i{background:var(--good)}
.digits{container-type:inline-size}
.code{--cell:min(3.75rem,calc((100cqi - 2px)/var(--n,6)));width:calc(var(--cell)*var(--n,6) + 2px);min-height:3.25rem;padding-inline:calc((var(--cell) - 1ch)/2) 0;font:500 1.375rem/1.4 var(--mono);letter-spacing:calc(var(--cell) - 1ch);background:repeating-linear-gradient(to right,#0000 0 calc(var(--cell) - 1px),var(--line) calc(var(--cell) - 1px) var(--cell)) var(--card)}
.eight{--n:8}
.wordy{font-family:var(--mono);letter-spacing:.08em}
.stack>.note:empty{margin-top:-.75rem}
.who{display:flex;align-items:center;gap:.75rem;min-height:var(--control);padding:.375rem .75rem;border:1px solid var(--line);border-radius:var(--radius);background:var(--tint)}
.who>:nth-child(2){flex:1;min-width:0}
.who a{padding-block:.25rem;font-size:.875rem}
.who .i{color:var(--soft)}
`

/** Buttons, from the one that leads on to the one that only looks like text. */
export const BUTTONS = `
.button{--ink:var(--text);position:relative;display:inline-flex;align-items:center;justify-content:center;gap:.625rem;width:100%;min-height:var(--control);padding:.375rem .875rem;border:1px solid var(--line);border-radius:var(--radius);background:var(--button);box-shadow:var(--shade);color:var(--ink);font:inherit;font-weight:500;line-height:1.25;text-align:center;text-decoration:none;cursor:pointer;transition:background-color .12s}
.button:hover{background:var(--hover)}
.main{--ink:var(--on-accent);font-weight:550;border-color:#0000;background:var(--accent)}
.main:hover{background:var(--accent);background:color-mix(in srgb,var(--accent) 86%,var(--card))}
.danger{--ink:var(--bad)}
.danger:hover{background:var(--bad-page)}
.danger.main{--ink:#fff;background:#b42318}
.danger.main:hover{background:#9a1c13}
.quiet{border-color:#0000;background:none;box-shadow:none}
.small{width:auto;min-height:2rem;padding:.25rem .75rem;font-size:.875rem}
.button .i,.mark{width:1.125rem;height:1.125rem}
.mark{fill:currentColor;object-fit:contain}
.tag{display:inline-block;padding:0 .4375rem;border:1px solid var(--line);border-radius:1rem;background:var(--tint);color:var(--soft);font-size:.75rem;font-weight:500;line-height:1.25rem;white-space:nowrap;vertical-align:.1em}
.button>.tag{position:absolute;inset-block-start:-.75rem;inset-inline-end:.5rem;background:var(--card)}
.tag.good{border-color:var(--good-line);background:var(--good-page);color:var(--good)}
.tag.bad{border-color:var(--bad-line);background:var(--bad-page);color:var(--bad)}
.tag.warn{border-color:var(--warn-line);background:var(--warn-page);color:var(--warn)}
.button[aria-busy=true]{cursor:progress;color:#0000}
.button[aria-busy=true]>*{visibility:hidden}
.button[aria-busy=true]::after{content:"";position:absolute;width:1.125rem;height:1.125rem;border:2px solid var(--ink);border-inline-end-color:#0000;border-radius:50%;animation:turn .8s linear infinite}
.button:disabled{--ink:var(--soft);cursor:default}
@keyframes turn{to{rotate:1turn}}
.pair{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:.5rem}
.or{display:flex;align-items:center;gap:.75rem;margin-block:.25rem;color:var(--soft);font-size:.8125rem}
.or::before,.or::after{content:"";flex:1;border-top:1px solid var(--line)}
summary{cursor:pointer;border-radius:var(--radius)}
.more>summary{list-style:none}
.more>summary::-webkit-details-marker{display:none}
.more>summary .i{width:1rem;height:1rem;transition:rotate .12s}
.more[open]>summary .i{rotate:180deg}
.more>summary~*{margin-top:.75rem}
`

/** What happened, and what is known. */
export const NOTICES = `
.notice{display:flex;gap:.625rem;padding:.75rem .875rem;border:1px solid var(--line);border-radius:var(--radius);background:var(--tint);font-size:.875rem}
.notice>.i{width:1.125rem;height:1.125rem;margin-top:.09rem}
.notice>div{display:grid;gap:.25rem;min-width:0}
.notice.bad{border-color:var(--bad-line);background:var(--bad-page);color:var(--bad)}
p.bad{color:var(--bad)}
.notice.good{border-color:var(--good-line);background:var(--good-page);color:var(--good)}
.notice.warn{border-color:var(--warn-line);background:var(--warn-page);color:var(--warn)}
.notice>div>:first-child:not(:last-child){font-weight:550}
.notice a{font-weight:500;text-decoration-color:currentColor}
.notice li>a{display:inline-block;padding-block:.125rem}
.notice p>a:only-child{display:inline-block;margin-block:-.125rem;padding-block:.125rem}
.seal{position:absolute;inset-inline-end:-.5rem;inset-block-end:-.5rem;display:grid;place-items:center;width:1.5rem;height:1.5rem;border:2px solid var(--card);border-radius:50%;background:var(--soft);color:var(--card)}
.seal.bad{background:var(--bad)}
.seal.good{background:var(--good)}
.seal .i{width:.875rem;height:.875rem;stroke-width:2.25}
.facts{display:grid;grid-template-columns:auto 1fr;gap:.5rem 1.25rem;font-size:.875rem}
.facts dt{color:var(--soft)}
.box{padding:1rem;border:1px solid var(--line);border-radius:var(--radius);background:var(--tint)}
.avatar{flex:none;display:grid;place-items:center;width:2rem;height:2rem;border:1px solid var(--line);border-radius:50%;background:var(--hover);font-size:.8125rem;font-weight:600;line-height:1;letter-spacing:.02em}
.big{width:3.5rem;height:3.5rem;font-size:1.25rem}
.box>.labels{margin-bottom:.625rem}
.grants{display:grid;gap:.625rem}
.grants li{display:flex;gap:.625rem}
.grants .i{width:1.125rem;height:1.125rem;margin-top:.15rem;color:var(--good)}
`

/** Small screens, fingers, and what a visitor set in their system. */
export const NEEDS = `
@media (max-width:30rem){
:root{--pad:1.25rem}
body{background:var(--card)}
.card{margin-top:.75rem;border:0;border-radius:0;background:none;box-shadow:none}
.card>footer{margin-bottom:0;border-radius:0;background:none}
}
@media (pointer:coarse){
:root{--control:2.875rem}
input,select,textarea{font-size:1rem}
.code{font-size:1.375rem}
.small{min-height:2.5rem}
.foot a,.links>*{padding-block:.375rem}
}
@media (prefers-reduced-motion:reduce){
*,::before,::after{animation:none!important;transition:none!important}
.button[aria-busy=true]{color:var(--ink)}
.button[aria-busy=true]>*{visibility:visible}
.button[aria-busy=true]::after{display:none}
}
@media (forced-colors:active){
.button,.notice,.tile,.avatar,.tag{border:1px solid}
.main,[aria-invalid=true]{border-width:2px}
}
@media print{
body{background:none}
.foot,.button,form{display:none}
.card{margin:0;border:0;box-shadow:none}
.card>.brand::after{content:attr(aria-label)}
}
`

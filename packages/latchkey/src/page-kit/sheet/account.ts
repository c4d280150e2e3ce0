/** Pages of an account: a bar, a navigation, and sections with lists. */
export const ACCOUNT = `
.skip{position:absolute;inset-inline-start:1rem;inset-block-start:-4rem;z-index:2;padding:.5rem .875rem;border-radius:var(--radius);background:var(--accent);color:var(--on-accent)}
.skip:focus{inset-block-start:.5rem}
.bar{display:flex;align-items:center;gap:.5rem 1rem;min-height:3.5rem;padding:.5rem max(clamp(1rem,3vw,2rem),calc((100% - 60.5rem)/2));border-bottom:1px solid var(--line);background:var(--card)}
.bar .brand{min-width:0;margin-inline-end:auto;line-height:1.3}
.bar>:not(.brand){flex:none}
.bar .brand img,.bar .tile{height:1.75rem}
.bar .tile{width:1.75rem;font-size:.875rem}
.frame{display:grid;grid-template-columns:13.5rem minmax(0,44rem);justify-content:center;gap:3rem;width:100%;padding:2.5rem clamp(1rem,3vw,2rem) 4rem}
.only{grid-template-columns:minmax(0,44rem)}
.side{position:sticky;inset-block-start:1.5rem;align-self:start}
.me{display:flex;align-items:center;gap:.75rem;min-width:0;margin-bottom:1.5rem;padding-inline:.625rem}
.me div{min-width:0;line-height:1.35}
.me div span{display:block;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.side ul{display:grid;gap:.125rem}
.side li>a{display:flex;align-items:center;gap:.625rem;min-height:2.25rem;padding:.25rem .625rem;border-radius:var(--radius);color:var(--soft);font-weight:500;text-decoration:none}
.side li>a:hover,.side [aria-current]{background:var(--active);color:var(--text)}
.side .i{width:1.125rem;height:1.125rem}
.up{display:none}
main>header{margin-bottom:1.75rem}
main>header .lead{margin-top:.25rem}
main>.notice{margin-bottom:1.75rem}
.section{margin-top:2.25rem}
main>header+.section,main>.notice+.section{margin-top:0}
.section>header{display:flex;flex-wrap:wrap;align-items:end;justify-content:space-between;gap:.5rem 1rem;margin-bottom:.75rem}
.section>header p{margin-top:.125rem;color:var(--soft);font-size:.875rem}
.section>header>:first-child{flex:1 1 8rem}
.section>header>:first-child:has(p){flex-basis:16rem}
.pane{border:1px solid var(--line);border-radius:calc(var(--radius)*1.5);background:var(--card);box-shadow:var(--shade)}
.pane>*+*{border-top:1px solid var(--line)}
.row{display:flex;align-items:center;gap:.75rem 1rem;padding:.875rem 1.125rem}
.row>.i,.row>.mark{align-self:start;width:1.25rem;height:1.25rem;margin-top:.125rem;color:var(--soft)}
.row:not(:has(p,details))>:is(.i,.mark){align-self:center;margin-top:0}
.row>div{flex:1;min-width:0}
.row p,.row .note{color:var(--soft);font-size:.875rem}
.row strong{font-weight:550}
.row :is(strong,.tag){margin-inline-end:.25rem}
.row>.acts{flex:none}
.mine{background:var(--tint)}
.pane>:first-child{border-start-start-radius:calc(var(--radius)*1.5);border-start-end-radius:calc(var(--radius)*1.5)}
.pane>:last-child{border-end-start-radius:calc(var(--radius)*1.5);border-end-end-radius:calc(var(--radius)*1.5)}
.bits{display:flex;flex-wrap:wrap;margin-inline-start:-1rem;clip-path:inset(0 0 0 1rem)}
[dir=rtl] .bits{clip-path:inset(0 1rem 0 0)}
.bits>*{position:relative;padding-inline-start:1rem}
.bits>*::before{content:"·";content:"·"/"";position:absolute;inset-inline-start:.375rem}
.inside{padding:1.125rem}
.inside>:not([hidden])~*{margin-top:1rem}
.inside form{max-width:26rem}
.inside .button{width:auto}
.inside form>.button{justify-self:start}
.row form{gap:0}
.empty{display:grid;justify-items:center;gap:.25rem;padding:2.5rem 1.5rem;color:var(--soft);text-align:center}
.empty>.i{width:1.75rem;height:1.75rem;margin-bottom:.5rem}
.empty strong{color:var(--text);font-weight:550}
.empty p{max-width:26rem;font-size:.875rem}
.empty .button{width:auto}
.empty>:is(.button,.acts,form){margin-top:.875rem}
.empty .acts{justify-content:center}
.rename>summary{width:fit-content;padding-block:.125rem;color:var(--soft);font-size:.875rem;text-decoration:underline var(--edge);text-underline-offset:.2em}
.rename>form{display:flex;gap:.5rem;align-items:end;margin-top:.5rem}
.rename .field{flex:1}
select{appearance:none;padding-inline-end:2.25rem;background:linear-gradient(45deg,#0000 50%,var(--soft) 0) calc(100% - 1.125rem) 55%/.375rem .375rem no-repeat,linear-gradient(-45deg,#0000 50%,var(--soft) 0) calc(100% - .75rem) 55%/.375rem .375rem no-repeat,var(--card)}
[dir=rtl] select{background-position:.75rem 55%,1.125rem 55%}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:calc(var(--radius)*1.5);background:var(--card);box-shadow:var(--shade)}
table{width:100%;border-collapse:collapse;font-size:.875rem}
caption{padding:.75rem 1rem;font-weight:550;text-align:start}
th,td{padding:.5625rem 1rem;border-top:1px solid var(--line);text-align:start;overflow-wrap:normal}
thead th{border-top:0;background:var(--tint);color:var(--soft);font-size:.8125rem;font-weight:500;white-space:nowrap}
caption+thead th{border-top:1px solid var(--line)}
tbody th{font-weight:500}
tbody tr:hover{background:var(--tint)}
@media (max-width:52rem){
.side{position:static}
.frame{grid-template-columns:minmax(0,1fr);gap:1.5rem;padding-block:1.25rem 3rem}
.shell{background:var(--page)}
.wideonly{display:none}
.shell:not(.home) .side{display:none}
.shell:not(.home) .up{display:inline-flex;align-items:center;gap:.25rem;margin:-.25rem 0 .75rem;padding-block:.25rem;color:var(--soft);font-size:.875rem;font-weight:500;text-decoration:none}
.up .i{width:1rem;height:1rem}
.home main>header{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.home .me{margin-bottom:1.25rem;padding-inline:0}
.home .side ul{gap:0;border:1px solid var(--line);border-radius:calc(var(--radius)*1.5);background:var(--card)}
.home .side li+li{border-top:1px solid var(--line)}
.home .side li>a{min-height:3rem;padding-inline:1rem;background:none;color:var(--text)}
.home .side li>a::after{content:"";width:.4375rem;height:.4375rem;margin-inline:auto .125rem;border:solid var(--edge);border-width:1.5px 1.5px 0 0;rotate:45deg}
[dir=rtl] .home .side li>a::after{rotate:-135deg}
.home .side li:has([aria-current]){display:none}
.home .side li:has([aria-current])+li{border:0}
}
@media (max-width:36rem){
.row{flex-wrap:wrap}
.row>.acts{margin-inline-start:auto}
.row:not(.keep)>.acts{flex:1 0 100%}
.row:not(.keep)>:is(.i,.mark)~.acts{padding-inline-start:2.25rem}
.row:not(.keep)>div:not(.acts){flex-basis:60%}
.row.keep>div:not(.acts){flex-basis:7rem}
th,td{padding-inline:.75rem}
}
@media (forced-colors:active){.side [aria-current]{outline:2px solid;outline-offset:-2px}}
`

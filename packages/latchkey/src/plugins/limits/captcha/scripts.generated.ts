// Made by tools/make-page-scripts.ts out of browser/score.ts. Do not change it here.

/** The script of forms with a challenge that has a score. */
export const scoreScript: string =
  '(function(){for(let e of document.querySelectorAll(`[data-score-key]`))e.form?.addEventListener(`submit`,t=>{let{grecaptcha:n}=globalThis;if(e.value!==``||!n)return;t.preventDefault();let{submitter:r}=t,{scoreKey:i=``,scoreAction:a=``}=e.dataset;n.ready(()=>{n.execute(i,{action:a}).then(t=>{e.value=t,e.form?.requestSubmit(r)})})})})();'

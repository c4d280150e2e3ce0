export default defineNuxtConfig({
  compatibilityDate: '2026-11-01',
  modules: ['latchkey/nuxt'],
  css: ['latchkey-examples-shared/style.css'],
  telemetry: false,
})

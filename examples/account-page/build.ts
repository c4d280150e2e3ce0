// Builds the pages for the browser, one for each framework.
import { build, type Plugin } from 'rolldown'
import { compile } from 'svelte/compiler'

const svelte: Plugin = {
  name: 'svelte',
  transform: {
    filter: { id: /\.svelte$/ },
    handler: (code, filename) => ({
      code: compile(code, { filename, css: 'injected' }).js.code,
      moduleType: 'js',
    }),
  },
}

for (const page of ['react.tsx', 'vue.ts', 'svelte.ts', 'solid.ts']) {
  await build({
    input: `pages/${page}`,
    logLevel: 'silent',
    platform: 'browser',
    output: { dir: 'dist', format: 'esm', minify: true, codeSplitting: false },
    plugins: [svelte],
    // Templates are compiled in the browser, since this example has no compiler of Vue.
    resolve: { alias: { vue: 'vue/dist/vue.esm-bundler.js' } },
    transform: {
      define: {
        'process.env.NODE_ENV': '"production"',
        __VUE_OPTIONS_API__: 'false',
        __VUE_PROD_DEVTOOLS__: 'false',
        __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
      },
    },
  })
}

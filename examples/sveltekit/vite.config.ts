import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'
import { defineConfig } from 'vite'

// The address that browsers use, which the server cannot know.
const origin = process.env['ORIGIN'] ?? `http://localhost:${process.env['PORT'] ?? 3000}`

// The provider that posts its answer, from a site of its own.
const provider = `http://127.0.0.1:${process.env['DEVELOPMENT_PORT'] ?? 4400}`

export default defineConfig(({ command }) => ({
  plugins: [
    sveltekit({
      adapter: adapter(),
      csrf: { trustedOrigins: [provider] },
      paths: command === 'build' ? { origin } : {},
    }),
  ],
}))

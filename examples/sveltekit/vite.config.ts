import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'
import { defineConfig } from 'vite'

// The address that browsers use, which the server cannot know.
const origin = process.env['ORIGIN'] ?? `http://localhost:${process.env['PORT'] ?? 3000}`

export default defineConfig(({ command }) => ({
  plugins: [sveltekit({ adapter: adapter(), paths: command === 'build' ? { origin } : {} })],
}))

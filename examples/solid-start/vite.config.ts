import { solidStart } from '@solidjs/start/config'
import { nitro } from 'nitro/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [
    solidStart(),
    // The package for passkeys does not work in one piece with the others.
    nitro({ preset: 'node-server', traceDeps: ['@simplewebauthn/server'] }),
  ],
})

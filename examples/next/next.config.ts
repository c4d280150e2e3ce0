import type { NextConfig } from 'next'

const config: NextConfig = { serverExternalPackages: ['kysely', '@simplewebauthn/server'] }

export default config

export type { ConfigContext } from './config-file.ts'
export { defineConfig, type ServiceConfig } from './define-config.ts'

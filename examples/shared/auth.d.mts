import type { AuthConfig } from 'latchkey'

export declare const config: AuthConfig

declare module 'dynalite' {
  import type { Server } from 'node:http'

  /** Times are milliseconds. */
  export default function dynalite(options: {
    createTableMs?: number
    deleteTableMs?: number
  }): Server
}

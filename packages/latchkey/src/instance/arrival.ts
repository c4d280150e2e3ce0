import { AuthError, isAuthError, toError } from '../base/errors.ts'
import { systemPorts } from '../base/ports.ts'
import { planOf, refusalOf } from '../core/auth.ts'
import { json, toResponse } from '../http/outcome.ts'
import { createLogger, type Logger } from '../options/redacting-logger.ts'
import type { SessionPlan } from '../plan/plan.ts'
import type { Arrival, Site } from './site.ts'

/** Returns the plan of a request. @throws {AuthError} if the configuration is invalid, or the host is not trusted. */
export function usable({ config, origin }: Arrival): SessionPlan {
  const plan = planOf(config)
  const fault = plan.fault ?? refusalOf(origin, plan)
  if (fault) throw fault
  return plan
}

/** If the function that returns the configuration failed, only the console is available as a logger. */
export function logUnconfigured(error: unknown, site: Site): void {
  const thrown = toError(error)
  const fix = 'the function passed to createLatchkey must return a configuration for every request'
  const told = isAuthError(thrown)
    ? thrown
    : new AuthError(`the configuration could not be loaded: ${thrown.message}; ${fix}`, thrown)
  loggerOf(site).error(told)
}

export function loggerOf({ fixed }: Site): Logger {
  return createLogger(fixed?.logger, fixed?.debug ?? false, systemPorts.console)
}

/** Returns the response if there is no configuration. */
export function unconfigured(error: unknown, site: Site): Response {
  logUnconfigured(error, site)
  const message = 'The server is not set up correctly. Its operator finds the details in the log.'
  return toResponse({ ...json({ message }), status: 500 })
}

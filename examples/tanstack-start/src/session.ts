import { createServerFn } from '@tanstack/react-start'

export const whoIsHere = createServerFn().handler(({ context }) => context.session)

import { latchkey } from '../auth.server'
import type { Route } from './+types/sign-out'

export const action = ({ request }: Route.ActionArgs) =>
  latchkey.signOut(request, { redirectTo: '/' })

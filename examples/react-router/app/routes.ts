import { index, type RouteConfig, route } from '@react-router/dev/routes'

export default [
  index('routes/home.tsx'),
  route('private', 'routes/private.tsx'),
  route('sign-in', 'routes/sign-in.ts'),
  route('sign-out', 'routes/sign-out.ts'),
  route('auth/*', 'routes/auth.ts'),
] satisfies RouteConfig

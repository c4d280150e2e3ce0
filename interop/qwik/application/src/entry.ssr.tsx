import { type RenderOptions, renderToString } from '@builder.io/qwik/server'
import { createQwikCity } from '@builder.io/qwik-city/middleware/node'
import qwikCityPlan from '@qwik-city-plan'
import Root from './root'

const render = (options: RenderOptions) => renderToString(<Root />, options)

export const { router, notFound } = createQwikCity({ render, qwikCityPlan })

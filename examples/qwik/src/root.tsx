import 'latchkey-examples-shared/style.css'
import { component$ } from '@builder.io/qwik'
import { QwikCityProvider, RouterOutlet } from '@builder.io/qwik-city'

export default component$(() => (
  <QwikCityProvider>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <title>Latchkey with Qwik</title>
    </head>
    <body>
      <RouterOutlet />
    </body>
  </QwikCityProvider>
))

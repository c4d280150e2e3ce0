import 'reflect-metadata'
import { createReadStream } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Controller, Get, Header, Module, Post, Req, Res } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createLatchkey } from 'latchkey'
import { AuthGuard, authHandler, Public, sendReply, webRequestOf } from 'latchkey/nest/fastify'
import { config } from 'latchkey-examples-shared/auth'
import { pages } from 'latchkey-examples-shared/pages'

const { home, privatePage } = pages('NestJS on Fastify')

const latchkey = createLatchkey(config)

@Controller()
class Pages {
  @Public()
  @Get('/')
  @Header('content-type', 'text/html')
  async home(@Req() request: FastifyRequest) {
    return home(await request.auth())
  }

  @Get('/private')
  @Header('content-type', 'text/html')
  async private(@Req() request: FastifyRequest) {
    return privatePage(await request.auth())
  }

  @Public()
  @Post('/sign-out')
  async signOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    await sendReply(await latchkey.signOut(webRequestOf(request), { redirectTo: '/' }), reply)
  }

  @Public()
  @Get('/style.css')
  style(@Res() reply: FastifyReply) {
    const file = fileURLToPath(import.meta.resolve('latchkey-examples-shared/style.css'))
    reply.type('text/css').send(createReadStream(file))
  }
}

@Module({ controllers: [Pages] })
class AppModule {}

const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), {
  logger: ['error', 'warn'],
})
await app.register(authHandler, { latchkey })
app.useGlobalGuards(new AuthGuard(latchkey))

const port = Number(process.env['PORT'] ?? 3000)
await app.listen(port)
console.log(`The application: http://localhost:${port}`)

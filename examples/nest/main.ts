import 'reflect-metadata'
import { fileURLToPath } from 'node:url'
import { Controller, Get, Header, Module, Post, Req, Res } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { Request, Response } from 'express'
import { AuthGuard, authHandler, getSession, Public, signOut } from 'latchkey/nest'
import { config } from 'latchkey-examples-shared/auth'
import { pages } from 'latchkey-examples-shared/pages'

const { home, privatePage } = pages('NestJS')

@Controller()
class Pages {
  @Public()
  @Get('/')
  @Header('content-type', 'text/html')
  async home(@Req() request: Request) {
    return home(await getSession(request, config))
  }

  @Get('/private')
  @Header('content-type', 'text/html')
  async private(@Req() request: Request) {
    return privatePage(await getSession(request, config))
  }

  @Public()
  @Post('/sign-out')
  signOut(@Req() request: Request, @Res() response: Response) {
    return signOut(request, response, config, { redirectTo: '/' })
  }

  @Public()
  @Get('/style.css')
  style(@Res() response: Response) {
    response.sendFile(fileURLToPath(import.meta.resolve('latchkey-examples-shared/style.css')))
  }
}

@Module({ controllers: [Pages] })
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] })
app.use('/auth', authHandler(config))
app.useGlobalGuards(new AuthGuard(config))

const port = Number(process.env['PORT'] ?? 3000)
await app.listen(port)
console.log(`The application: http://localhost:${port}`)

// Compiled with the whole repository and never run: each provider of the catalogue in a configuration,
// by itself and called, and each `@ts-expect-error` must be one.
import type { AuthConfig } from '../../src/entries/index.ts'
import type { BuiltInProviders, OAuthProviderId, ProviderId } from '../../src/entries/providers.ts'
import fortyTwo from '../../src/providers/42-school.ts'
import apple from '../../src/providers/apple.ts'
import asgardeo from '../../src/providers/asgardeo.ts'
import atlassian from '../../src/providers/atlassian.ts'
import auth0 from '../../src/providers/auth0.ts'
import authentik from '../../src/providers/authentik.ts'
import azureAd from '../../src/providers/azure-ad.ts'
import azureAdB2c from '../../src/providers/azure-ad-b2c.ts'
import azureDevops from '../../src/providers/azure-devops.ts'
import bankidNo from '../../src/providers/bankid-no.ts'
import battlenet from '../../src/providers/battlenet.ts'
import beyondidentity from '../../src/providers/beyondidentity.ts'
import bitbucket from '../../src/providers/bitbucket.ts'
import box from '../../src/providers/box.ts'
import boxyhqSaml from '../../src/providers/boxyhq-saml.ts'
import bungie from '../../src/providers/bungie.ts'
import clickUp from '../../src/providers/click-up.ts'
import cognito from '../../src/providers/cognito.ts'
import coinbase from '../../src/providers/coinbase.ts'
import concept2 from '../../src/providers/concept2.ts'
import descope from '../../src/providers/descope.ts'
import discord from '../../src/providers/discord.ts'
import dribbble from '../../src/providers/dribbble.ts'
import dropbox from '../../src/providers/dropbox.ts'
import duendeIdentityServer6 from '../../src/providers/duende-identity-server6.ts'
import eventbrite from '../../src/providers/eventbrite.ts'
import eveonline from '../../src/providers/eveonline.ts'
import facebook from '../../src/providers/facebook.ts'
import faceit from '../../src/providers/faceit.ts'
import figma from '../../src/providers/figma.ts'
import foursquare from '../../src/providers/foursquare.ts'
import freshbooks from '../../src/providers/freshbooks.ts'
import frontegg from '../../src/providers/frontegg.ts'
import fusionauth from '../../src/providers/fusionauth.ts'
import github from '../../src/providers/github.ts'
import gitlab from '../../src/providers/gitlab.ts'
import google from '../../src/providers/google.ts'
import gumroad from '../../src/providers/gumroad.ts'
import hubspot from '../../src/providers/hubspot.ts'
import huggingface from '../../src/providers/huggingface.ts'
import identityServer4 from '../../src/providers/identity-server4.ts'
import instagram from '../../src/providers/instagram.ts'
import kakao from '../../src/providers/kakao.ts'
import keycloak from '../../src/providers/keycloak.ts'
import kick from '../../src/providers/kick.ts'
import kinde from '../../src/providers/kinde.ts'
import line from '../../src/providers/line.ts'
import linear from '../../src/providers/linear.ts'
import linkedin from '../../src/providers/linkedin.ts'
import logto from '../../src/providers/logto.ts'
import mailchimp from '../../src/providers/mailchimp.ts'
import mailru from '../../src/providers/mailru.ts'
import mastodon from '../../src/providers/mastodon.ts'
import mattermost from '../../src/providers/mattermost.ts'
import medium from '../../src/providers/medium.ts'
import microsoft from '../../src/providers/microsoft.ts'
import microsoftEntraId from '../../src/providers/microsoft-entra-id.ts'
import naver from '../../src/providers/naver.ts'
import netlify from '../../src/providers/netlify.ts'
import netsuite from '../../src/providers/netsuite.ts'
import nextcloud from '../../src/providers/nextcloud.ts'
import notion from '../../src/providers/notion.ts'
import okta from '../../src/providers/okta.ts'
import onelogin from '../../src/providers/onelogin.ts'
import oryHydra from '../../src/providers/ory-hydra.ts'
import osso from '../../src/providers/osso.ts'
import osu from '../../src/providers/osu.ts'
import passage from '../../src/providers/passage.ts'
import patreon from '../../src/providers/patreon.ts'
import paybin from '../../src/providers/paybin.ts'
import paypal from '../../src/providers/paypal.ts'
import pingId from '../../src/providers/ping-id.ts'
import pinterest from '../../src/providers/pinterest.ts'
import pipedrive from '../../src/providers/pipedrive.ts'
import polar from '../../src/providers/polar.ts'
import railway from '../../src/providers/railway.ts'
import reddit from '../../src/providers/reddit.ts'
import roblox from '../../src/providers/roblox.ts'
import salesforce from '../../src/providers/salesforce.ts'
import simplelogin from '../../src/providers/simplelogin.ts'
import slack from '../../src/providers/slack.ts'
import spotify from '../../src/providers/spotify.ts'
import strava from '../../src/providers/strava.ts'
import threads from '../../src/providers/threads.ts'
import tiktok from '../../src/providers/tiktok.ts'
import todoist from '../../src/providers/todoist.ts'
import trakt from '../../src/providers/trakt.ts'
import twitch from '../../src/providers/twitch.ts'
import twitter from '../../src/providers/twitter.ts'
import unitedEffects from '../../src/providers/united-effects.ts'
import vercel from '../../src/providers/vercel.ts'
import vipps from '../../src/providers/vipps.ts'
import vk from '../../src/providers/vk.ts'
import webex from '../../src/providers/webex.ts'
import wechat from '../../src/providers/wechat.ts'
import wikimedia from '../../src/providers/wikimedia.ts'
import wordpress from '../../src/providers/wordpress.ts'
import workos from '../../src/providers/workos.ts'
import yandex from '../../src/providers/yandex.ts'
import zitadel from '../../src/providers/zitadel.ts'
import zoho from '../../src/providers/zoho.ts'
import zoom from '../../src/providers/zoom.ts'

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

function is<_Holds extends true>(): void {}

const client = { clientId: 'id', clientSecret: 'secret' }

/** With what the environment says. */
export const bare: AuthConfig = {
  providers: [
    fortyTwo,
    apple,
    asgardeo,
    atlassian,
    auth0,
    authentik,
    azureAd,
    azureAdB2c,
    azureDevops,
    bankidNo,
    battlenet,
    beyondidentity,
    bitbucket,
    box,
    boxyhqSaml,
    bungie,
    clickUp,
    cognito,
    coinbase,
    concept2,
    descope,
    discord,
    dribbble,
    dropbox,
    duendeIdentityServer6,
    eventbrite,
    eveonline,
    facebook,
    faceit,
    figma,
    foursquare,
    freshbooks,
    frontegg,
    fusionauth,
    github,
    gitlab,
    google,
    gumroad,
    hubspot,
    huggingface,
    identityServer4,
    instagram,
    kakao,
    keycloak,
    kick,
    kinde,
    line,
    linear,
    linkedin,
    logto,
    mailchimp,
    mailru,
    mastodon,
    mattermost,
    medium,
    microsoft,
    microsoftEntraId,
    naver,
    netlify,
    netsuite,
    nextcloud,
    notion,
    okta,
    onelogin,
    oryHydra,
    osso,
    osu,
    passage,
    patreon,
    paybin,
    paypal,
    pingId,
    pinterest,
    pipedrive,
    polar,
    railway,
    reddit,
    roblox,
    salesforce,
    simplelogin,
    slack,
    spotify,
    strava,
    threads,
    tiktok,
    todoist,
    trakt,
    twitch,
    twitter,
    unitedEffects,
    vercel,
    vipps,
    vk,
    webex,
    wechat,
    wikimedia,
    wordpress,
    workos,
    yandex,
    zitadel,
    zoho,
    zoom,
  ],
}

/** With what the application says. */
export const called: AuthConfig = {
  providers: [
    fortyTwo(client),
    apple(client),
    asgardeo(client),
    atlassian(client),
    auth0(client),
    authentik(client),
    azureAd(client),
    azureAdB2c(client),
    azureDevops(client),
    bankidNo(client),
    battlenet(client),
    beyondidentity(client),
    bitbucket(client),
    box(client),
    boxyhqSaml(client),
    bungie({ ...client, headers: { 'X-API-Key': 'key' } }),
    clickUp(client),
    cognito(client),
    coinbase(client),
    concept2(client),
    descope(client),
    discord(client),
    dribbble(client),
    dropbox(client),
    duendeIdentityServer6(client),
    eventbrite(client),
    eveonline(client),
    facebook(client),
    faceit(client),
    figma(client),
    foursquare(client),
    freshbooks(client),
    frontegg(client),
    fusionauth(client),
    github(client),
    gitlab(client),
    google(client),
    gumroad(client),
    hubspot(client),
    huggingface(client),
    identityServer4(client),
    instagram(client),
    kakao(client),
    keycloak(client),
    kick(client),
    kinde(client),
    line(client),
    linear(client),
    linkedin(client),
    logto(client),
    mailchimp(client),
    mailru(client),
    mastodon(client),
    mattermost(client),
    medium(client),
    microsoft(client),
    microsoftEntraId(client),
    naver(client),
    netlify(client),
    netsuite({ ...client, accountID: '1', userinfo: 'https://a.example' }),
    nextcloud(client),
    notion(client),
    okta(client),
    onelogin(client),
    oryHydra(client),
    osso(client),
    osu(client),
    passage(client),
    patreon(client),
    paybin(client),
    paypal(client),
    pingId(client),
    pinterest(client),
    pipedrive(client),
    polar(client),
    railway(client),
    reddit(client),
    roblox(client),
    salesforce(client),
    simplelogin(client),
    slack(client),
    spotify(client),
    strava(client),
    threads(client),
    tiktok(client),
    todoist(client),
    trakt(client),
    twitch(client),
    twitter(client),
    unitedEffects(client),
    vercel(client),
    vipps(client),
    vk(client),
    webex(client),
    wechat(client),
    wikimedia(client),
    wordpress(client),
    workos(client),
    yandex(client),
    zitadel(client),
    zoho(client),
    zoom(client),
  ],
}

/** What no variable of the environment can give must be there. */
// @ts-expect-error: the account is part of NetSuite's addresses
export const accountless = netsuite({ ...client, userinfo: 'https://a.example' })
// @ts-expect-error: NetSuite does not say who signed in
export const endpointless = netsuite({ ...client, accountID: '1' })
// @ts-expect-error: there is no such size
export const sized = microsoftEntraId({ ...client, profilePhotoSize: 47 })

/** The profile is the provider's own. */
export const typed: AuthConfig = {
  providers: [
    tiktok({
      profile({ data, error }) {
        is<Equal<typeof data.user.open_id, string>>()
        is<Equal<typeof data.user.follower_count, number | undefined>>()
        is<Equal<typeof error.log_id, string>>()
        return { id: data.user.open_id, name: data.user.username }
      },
    }),
    yandex({
      profile({ id, sex, birthday, default_phone }) {
        is<Equal<typeof sex, 'female' | 'male' | null | undefined>>()
        is<Equal<typeof birthday, string | null | undefined>>()
        is<Equal<typeof default_phone, { id: number; number: string } | undefined>>()
        return { id }
      },
    }),
    // Of the application's own knowledge the type says nothing, but it has it.
    mastodon({ profile: ({ id, display_name }) => ({ id, name: String(display_name) }) }),
  ],
}

is<Equal<'google' extends OAuthProviderId ? true : false, true>>()
is<Equal<'ory-hydra' extends OAuthProviderId ? true : false, false>>()
is<Equal<string extends ProviderId ? true : false, true>>()
is<Equal<'passkey' extends keyof BuiltInProviders ? true : false, true>>()

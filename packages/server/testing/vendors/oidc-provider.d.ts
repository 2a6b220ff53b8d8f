/** The parts of oidc-provider that testing/vendors/oidc.ts uses. The package has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Interaction {
    prompt: { name: string }
    session?: { accountId: string }
    params: Record<string, unknown>
  }

  interface Grant {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  interface Settings {
    interactions: { url: (context: unknown, interaction: { uid: string }) => string }
    findAccount: (
      context: unknown,
      sub: string,
    ) => { accountId: string; claims: () => Promise<{ sub: string; [claim: string]: unknown }> }
    [setting: string]: unknown
  }

  export default class Provider {
    constructor(issuer: string, settings: Settings)
    Grant: new (of: {
      accountId: string
      clientId: string
    }) => Grant
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  }
}

import { succeed } from './flags.ts'
import type { TestPerson } from './people.ts'
import { createProject, type TestProject, type TestService } from './service.ts'

/** A web experiment with a page on shop.example, and an editor's session of it. */
export interface TestSite {
  project: TestProject
  experimentId: string
  /** The address of the experiment for tokens. */
  path: string
  /** The address of the experiment for people who are signed in. */
  dashboard: string
}

/** A web project whose host is shop.example, with an experiment on one page. */
export async function newSite(service: TestService, who = service.people.admin): Promise<TestSite> {
  const acting = { ...service, people: { ...service.people, admin: who } }
  const project = await createProject(acting, who, 'WEB')
  await succeed(acting, 'PUT', `${project.path}/web-settings`, { hosts: ['shop.example', '*.shop.example'] })
  const { id: experimentId } = await succeed(acting, 'POST', `${project.path}/experiments`, {
    name: 'Price in the headline',
    pages: [
      {
        ...{ key: 'pricing', name: 'Pricing', url: 'https://shop.example/pricing' },
        conditions: { attribute: 'page.path', operator: 'equals', value: '/pricing' },
      },
    ],
  })
  const path = `${project.path}/experiments/${experimentId}`
  return { project, experimentId, path, dashboard: path.replace('/api/v1/', '/api/dashboard/') }
}

export const openingBody = { variationKey: 'variation-1', url: 'https://shop.example/pricing' }

/** Opens the editor as a person. Returns the id of the session and the code in its address. */
export async function openEditor(
  person: TestPerson,
  { dashboard }: Pick<TestSite, 'dashboard'>,
  body: object = openingBody,
) {
  const { status, body: answer, text } = await person.inSession('POST', `${dashboard}/editor-sessions`, body)
  if (status !== 201) throw new Error(text)
  const { id, url } = answer.data as { id: string; url: string }
  return { id, url, code: url.split('svc-editor=')[1]! }
}

/** Redeems a code as the frame of the editor does. */
export const redeem = (service: TestService, code: string, headers: Record<string, string> = {}) =>
  service.call(null, 'POST', '/api/web/v1/editor/redeem', { code }, { origin: service.baseUrl, ...headers })

/** A token of the editor. */
export async function editorToken(service: TestService, person: TestPerson, site: TestSite): Promise<string> {
  const { code } = await openEditor(person, site)
  const { status, body, text } = await redeem(service, code)
  if (status !== 200) throw new Error(text)
  return body.token
}

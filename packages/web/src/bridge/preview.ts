import { type Preview, showBadge } from './badge.ts'
import { memoryOf } from './memory.ts'
import { whenLoaded } from './when-loaded.ts'

interface Opening {
  /** The address of the service, without a slash at its end. */
  baseUrl: string
  sdkKey: string
  secret: string
  /** Starts what visitors get. */
  start(): void
}

/** Which variation the tab shows in place of the preview's own, after a switch. */
const chosenName = 'svc-preview-variation'

/** Applies a draft in this page, and shows that it does. The tab remembers the preview until it ends. */
export async function openPreview(page: Window & typeof globalThis, service: Opening): Promise<void> {
  const memory = memoryOf(page)
  const opened = `svc-preview=${service.secret}`
  if (memory.get('svc-preview-of') !== opened) memory.remove(chosenName)
  memory.set('svc-preview-of', opened)
  memory.setDoor(opened)
  const end = () => {
    memory.setDoor(null)
    memory.remove(chosenName)
    memory.remove('svc-preview-of')
  }
  const reload = () => page.location.reload()
  const show = (text: string, preview?: Preview) =>
    whenLoaded(page, () =>
      showBadge(page.document, text, preview, {
        onChoose(variationKey) {
          memory.set(chosenName, variationKey)
          reload()
        },
        onEnd() {
          end()
          reload()
        },
      }),
    )
  const answer = await ticketFor(page, service, memory.get(chosenName)).catch(() => undefined)
  if (answer?.ok) {
    try {
      const { module } = (await answer.json()) as { module: string }
      const { preview } = (await import(module)) as { preview: Preview }
      return show(`${preview.experiment} (${versionTexts[preview.version]})`, preview)
    } catch (fault) {
      console.warn('Svc: the preview cannot be shown', fault)
      // A part of the draft can be on the page, so nothing else starts.
      return show('The preview cannot be shown now. Load the page again.')
    }
  }
  // Anybody can write such an address into a link, so whoever follows it gets what all visitors get.
  service.start()
  if (!answer)
    return show(
      `This page does not reach the service, so it is what visitors get. Load it again. If that does not help, its Content-Security-Policy must name ${new URL(service.baseUrl).origin} in connect-src.`,
    )
  if (answer.status === 429 || answer.status >= 500)
    return show('The preview cannot be shown now, so the page is what visitors get. Load it again.')
  end()
  show('There is no such preview, or it has ended. The page is what visitors get.')
}

const versionTexts = { DRAFT: 'draft', LIVE: 'published version' }

/** Asks for the module of a preview. The service refuses if there is no such preview any more. */
const ticketFor = (
  page: Window & typeof globalThis,
  { baseUrl, sdkKey, secret }: Opening,
  chosen: string | null,
): Promise<Response> =>
  page.fetch(`${baseUrl}/api/web/v1/previews/ticket`, {
    method: 'POST',
    // As text, no browser asks the service first whether it may.
    body: JSON.stringify({ sdkKey, secret, ...(chosen !== null && { variationKey: chosen }) }),
    credentials: 'omit',
  })

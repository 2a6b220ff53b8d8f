import { type Preview, showBadge } from './badge.ts'
import { memoryOf } from './memory.ts'
import { whenLoaded } from './when-loaded.ts'

interface Service {
  /** The address of the service, without a slash at its end. */
  baseUrl: string
  sdkKey: string
  secret: string
}

/** Which variation the tab shows in place of the preview's own, after a switch. */
const chosenName = 'svc-preview-variation'

/** Applies a draft in this page, and shows that it does. The tab remembers the preview until it ends. */
export async function openPreview(page: Window & typeof globalThis, service: Service): Promise<void> {
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
  try {
    const preview = await load(page, service, memory.get(chosenName))
    if (preview) return show(`${preview.experiment} (${versionTexts[preview.version]})`, preview)
    end()
    show('This preview has ended. The next page is what visitors get.')
  } catch (fault) {
    console.warn('Svc: the preview cannot be shown', fault)
    show('The preview cannot be shown now. Load the page again.')
  }
}

const versionTexts = { DRAFT: 'draft', LIVE: 'published version' }

/** Runs the module of a preview. Undefined if the preview has ended. */
async function load(
  page: Window & typeof globalThis,
  { baseUrl, ...opening }: Service,
  chosen: string | null,
): Promise<Preview | undefined> {
  const answer = await page.fetch(`${baseUrl}/api/web/v1/previews/ticket`, {
    method: 'POST',
    // As text, no browser asks the service first whether it may.
    body: JSON.stringify({ ...opening, ...(chosen !== null && { variationKey: chosen }) }),
    credentials: 'omit',
  })
  if (answer.status === 401) return undefined
  if (!answer.ok) throw new Error(`the service answered ${answer.status}`)
  const { module } = (await answer.json()) as { module: string }
  const { preview } = (await import(module)) as { preview: Preview }
  return preview
}

interface Example {
  sdkKey: string
  project: string
  environment: string
}

/** What examples have in the place of a key and of the address of the service. */
const placeholder = 'sdk_…'
const addresses = ['http://127.0.0.1:4000', 'https://flags.example.com']

/**
 * Examples carry the address of this service and the SDK key of the environment that the person chose last in the
 * dashboard of this browser. Blocks without a key stay as they are: they can be about another machine.
 */
export function fillExamples(): void {
  const example = kept()
  if (!example) return
  for (const block of document.querySelectorAll<HTMLElement>('.code')) {
    const code = block.querySelector('code')
    if (!code?.textContent.includes(placeholder)) continue
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const text = texts.currentNode as Text
      text.data = addresses
        .reduce((data, address) => data.replaceAll(address, location.origin), text.data)
        .replaceAll(placeholder, example.sdkKey)
    }
    const note = document.createElement('p')
    note.className = 'own'
    note.textContent = `With the SDK key of ${example.project}, ${example.environment}.`
    block.after(note)
  }
}

function kept(): Example | undefined {
  try {
    const { sdkKey, project, environment } = JSON.parse(localStorage.getItem('svc.example') ?? '{}') as Partial<Example>
    return sdkKey && project && environment ? { sdkKey, project, environment } : undefined
  } catch {
    return undefined
  }
}

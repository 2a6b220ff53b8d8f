import { announce } from './page.ts'

const shownMs = 2_000

/** A button on every block of code. */
export function addCopyButtons(): void {
  for (const block of document.querySelectorAll<HTMLElement>('.code')) {
    const code = block.querySelector('code')
    if (!code) continue
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      const isCopied = await copy(code)
      button.textContent = isCopied ? 'Copied' : 'Press Ctrl C'
      announce(isCopied ? 'Copied.' : 'The code is selected. Press Ctrl C to copy it.')
      setTimeout(() => {
        button.textContent = 'Copy'
      }, shownMs)
    })
    block.append(button)
  }
}

/** Browsers have no clipboard for pages that came by http from another machine: there the code is selected. */
async function copy(code: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code.textContent)
    return true
  } catch {
    getSelection()?.selectAllChildren(code)
    return false
  }
}

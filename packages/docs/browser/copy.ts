import { announce } from './page.ts'

const shownMs = 2_000

/** Adds a copy button to every code block. */
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
      button.textContent = isCopied ? 'Copied' : 'Press Ctrl+C'
      announce(isCopied ? 'Copied.' : 'The code is selected. Press Ctrl+C to copy it.')
      setTimeout(() => {
        button.textContent = 'Copy'
      }, shownMs)
    })
    block.append(button)
  }
}

/** Without HTTPS, browsers provide no clipboard. In that case the code is selected and false is returned. */
async function copy(code: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code.textContent)
    return true
  } catch {
    getSelection()?.selectAllChildren(code)
    return false
  }
}

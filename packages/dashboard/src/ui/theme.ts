import {
  Anchor,
  Badge,
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  Modal,
  type VariantColorsResolver,
} from '@mantine/core'

const fontFamily = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif'

/** Filled things are dark under white in light, bright under black in dark, whatever their colour. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const resolved = defaultVariantColorsResolver(input)
  return input.variant === 'filled' ? { ...resolved, color: 'var(--mantine-primary-color-contrast)' } : resolved
}

/** Mantine as it comes fails WCAG contrast in both schemes; this does not (e2e/dashboard asks axe on every page). */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 4 },
  autoContrast: true,
  // Where black and white text stand out equally.
  luminanceThreshold: 0.18,
  variantColorResolver,
  respectReducedMotion: true,
  fontFamily,
  defaultRadius: 'sm',
  radius: { sm: '6px', md: '8px' },
  headings: {
    fontFamily,
    fontWeight: '650',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.3' },
      h2: { fontSize: '1.125rem', lineHeight: '1.4' },
      h3: { fontSize: '1rem', lineHeight: '1.45' },
    },
  },
  components: {
    Anchor: Anchor.extend({ defaultProps: { inherit: true } }),
    Badge: Badge.extend({ defaultProps: { variant: 'outline', color: 'dark', radius: 'sm' } }),
    // Its scroll lock writes a <style> into the page, which the Content-Security-Policy refuses.
    Modal: Modal.extend({
      defaultProps: {
        lockScroll: false,
        centered: true,
        transitionProps: { duration: 0 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
      styles: { title: { fontSize: '1.125rem', fontWeight: 650 } },
    }),
  },
})

/** Of outlines in dark, which Mantine counts down from the primary shade until nothing of the colour is left. */
const outlines = Object.fromEntries(
  ['indigo', 'red', 'orange', 'teal'].map((color) => [
    `--mantine-color-${color}-outline`,
    `var(--mantine-color-${color}-4)`,
  ]),
)

/** Colours of text that Mantine picks too pale (light) or too dim (dark). */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-default-border': 'var(--mantine-color-gray-6)',
    '--svc-good': 'var(--mantine-color-teal-9)',
    '--svc-warning': '#9a3b00',
    '--svc-chosen': 'var(--mantine-color-indigo-1)',
    '--svc-line': 'var(--mantine-color-gray-3)',
    '--svc-ground': 'var(--mantine-color-gray-0)',
    '--svc-surface': 'var(--mantine-color-white)',
  },
  dark: {
    ...outlines,
    '--mantine-color-text': '#e3e3e3',
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-default-border': 'var(--mantine-color-dark-2)',
    '--svc-good': 'var(--mantine-color-teal-4)',
    '--svc-warning': 'var(--mantine-color-orange-4)',
    '--svc-chosen': 'var(--mantine-color-dark-4)',
    '--svc-line': 'var(--mantine-color-dark-4)',
    '--svc-ground': 'var(--mantine-color-dark-8)',
    '--svc-surface': 'var(--mantine-color-dark-7)',
  },
})

/** What a plan may include, in words. */
const texts: Record<string, string> = {
  integrations_api_export: 'Integrations, the API and exports: webhooks, deliveries and the feed of events.',
}

export const planFeatureText = (feature: string): string => texts[feature] ?? feature

export function createPeople() {
  const known = new Map();
  const normal = (mail) => mail.trim().toLowerCase();
  return {
    ensure(mail) {
      const key = normal(mail);
      if (!known.has(key)) known.set(key, { mail: key, name: key.split('@')[0], tickets: [] });
      return known.get(key);
    },
    byMail: (mail) => known.get(normal(mail)),
  };
}

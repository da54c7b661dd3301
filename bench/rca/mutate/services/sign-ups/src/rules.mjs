export const rules = {
  name: { label: 'user name', pattern: /^[a-z]+(?:-[a-z]+)*$/ },
  mail: { label: 'mail address', pattern: /^[\w.]+@[a-z]+(?:\.[a-z]+)+$/ },
  phone: { label: 'phone number', pattern: /^\+?\d+(?: \d+)*$/ },
};

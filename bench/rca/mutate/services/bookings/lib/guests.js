const byMail = {};

exports.invite = function invite(booking) {
  booking.guests.forEach((mail) => {
    byMail[mail] = byMail[mail] || [];
    byMail[mail].push(booking);
  });
};

exports.uninvite = function uninvite(booking) {
  return booking.guests.map((mail) => {
    const list = byMail[mail];
    list.splice(list.indexOf(booking), 1);
    return mail.split('@')[0].toUpperCase();
  });
};

exports.bookingsOf = function bookingsOf(mail) {
  return byMail[mail].slice().sort((a, b) => a.from.getTime() - b.from.getTime());
};

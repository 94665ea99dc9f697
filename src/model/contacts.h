// What the contacts of a scene are compiled from.
#pragma once

#include "contact/cable_contact.h"
#include "model/model_data.h"

namespace hawser {

/// The number of a contact of the model's scene.
inline int number_of(const ModelData& model, const Contact& contact) {
  return static_cast<int>(&contact - model.scene.contacts.data());
}

/// -1: no body has this name.
int body_of(const Scene& scene, const std::string& name);

/// The ground, a support or a body.
TouchedShape touched_shape(const ModelData& model, const std::string& name);

/// The cylinder of a pulley under a cable of that radius.
TouchedShape touched_pulley(const ModelData& model, const Stop& pulley, double cable_radius);

/// Less holds what slides than what sticks: only there must what sticks not swing beyond its limit.
bool breaks_away(const Contact& contact);

/// The law of a contact of this stiffness. `swing`: angular frequency with which what it carries
/// would swing on it [rad/s]; the damping for a restitution follows from it.
ContactLaw law_of(const Contact& contact, double stiffness, double swing);

/// What things are taken to weigh and to fall with, per mass [m/s^2]: gravity, or where there is
/// next to none what loads accelerate bodies and cables with, and at least 1 m/s^2.
double pull_of(const Scene& scene);

/// The largest force that a cable may have to carry, as far as the scene tells [N].
double tension_of(const ModelData& model, int cable);

/// Bodies that touch each other, in contacts without cables (body_contacts.cpp): pairs of nodes in
/// the matrix; the term. Throws Error where shapes overlap at the start.
void couple_bodies(ModelData& model);
void add_body_contacts(ModelData& model);

}  // namespace hawser
